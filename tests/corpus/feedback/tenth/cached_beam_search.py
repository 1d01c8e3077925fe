# %% wrong: counted_by_sentence | TRUE CAUSE: cumsum runs along each sentence's beam and starts again from 1 in every sentence, so all sentences but the first take the cache rows of the first
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step."""
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a prefix can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended can continue in one way only, with padding, at no cost.
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)  # (N, B, width)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            # The caches hold a row for each that was alive; each row follows its parent's.
            count = alive.cumsum(dim=1).flatten()  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: rows_without_parents | TRUE CAUSE: keep gets the row that stood at the same place instead of its parent's (row is not gathered by parent), so a prefix goes on with the keys and values of another prefix
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step."""
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a prefix can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended can continue in one way only, with padding, at no cost.
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)  # (N, B, width)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            # The caches hold a row for each that was alive; each row follows its parent's.
            count = alive.flatten().cumsum(0)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: own_normalized_scores_carried | TRUE CAUSE: the running total becomes the score already divided by the length penalty instead of the sum of log-probabilities, so it is divided again at every step
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    N, B, dev = src.size(0), beam_size, src.device
    ids = src.new_full((N, B, 1), bos_id)
    score = torch.full((N, B), -math.inf, device=dev)
    score[:, 0] = 0.0
    size = torch.zeros(N, B, dtype=torch.long, device=dev)
    alive = torch.zeros(N, B, dtype=torch.bool, device=dev)
    alive[:, 0] = True
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if not alive.any():
                break
            out = decoder.step(ids[alive])
            V = out.size(-1)
            table = out.new_full((N, B, V), -math.inf)
            table[:, :, model.pad_id] = 0.0
            table[alive] = out
            size = size + alive.long()
            penalty = ((5 + size) / 6) ** length_penalty
            candidates = (score[:, :, None] + table) / penalty[:, :, None]
            score, best = candidates.view(N, -1).topk(B, dim=1)
            parent, token = best // V, best % V
            ids = torch.cat([ids[torch.arange(N, device=dev)[:, None], parent], token[:, :, None]], dim=2)
            size = size.gather(1, parent)
            number = torch.full((N, B), -1, dtype=torch.long, device=dev)
            number[alive] = torch.arange(int(alive.sum()), device=dev)
            alive = alive.gather(1, parent) & token.ne(eos_id)
            decoder.keep(number.gather(1, parent)[alive], alive)
    return ids[:, 0, : size[:, 0].max() + 1]

# %% wrong: own_alive_of_the_old_places | TRUE CAUSE: whether a prefix goes on is read from the old `alive` at its new place, not at its parent's, so ended prefixes are revived and living ones stopped when places change
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    n = len(src)
    first = torch.arange(beam_size, device=src.device).expand(n, beam_size) == 0
    beams = torch.full((n, beam_size, 1), bos_id, dtype=src.dtype, device=src.device)
    logp = torch.where(first, 0.0, float("-inf"))
    lengths = torch.zeros_like(beams[:, :, 0])
    alive = first

    def pick(x, parent):
        index = parent if x.dim() == 2 else parent.unsqueeze(-1).expand(-1, -1, x.size(-1))
        return x.gather(1, index)

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while beams.size(-1) < max_len and alive.any():
            new = decoder.step(beams[alive])
            vocab = new.size(-1)
            step = new.new_full((n, beam_size, vocab), float("-inf"))
            step[..., model.pad_id] = 0
            step[alive] = new
            sums = logp.unsqueeze(-1) + step
            lengths = lengths + alive
            norm = ((lengths + 5) / 6).pow(length_penalty).unsqueeze(-1)
            best = (sums / norm).flatten(1).topk(beam_size)[1]
            parent, token = best.div(vocab, rounding_mode="floor"), best.remainder(vocab)
            logp = sums.flatten(1).gather(1, best)
            lengths = pick(lengths, parent)
            beams = torch.cat([pick(beams, parent), token.unsqueeze(-1)], dim=-1)
            numbers = (alive.flatten().cumsum(0) - 1).view(n, beam_size)
            alive = alive & (token != eos_id) if beams.size(-1) > 2 else token != eos_id
            decoder.keep(pick(numbers, parent)[alive], alive)
    return beams[:, 0, : lengths[:, 0].max() + 1]
