# %% wrong: row_of_the_place_itself | TRUE CAUSE: the blank rows takes the row that stood at the same place before (row[alive]) instead of that of its parent (row.gather(1, parent)[alive]), so prefixes go on with keys and values of another prefix
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
    """
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

# %% wrong: alive_of_the_place_itself | TRUE CAUSE: the blank goes_on asks whether the place was alive, not its parent (alive without gather), so places 1 and up, which are not alive at the start, never continue
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
    """
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
            alive = alive & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: own_best_by_raw_total | TRUE CAUSE: at the end the prefix with the largest sum of log-probabilities is taken (score.argmax), not the first of the beam, which is best after the division by the length penalty: short translations win
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    n, b, dev = src.size(0), beam_size, src.device
    seqs = src.new_full((n, b, 1), bos_id)
    score = torch.full((n, b), -math.inf, device=dev)
    score[:, 0] = 0.0
    size = torch.zeros(n, b, dtype=torch.long, device=dev)
    live = torch.zeros(n, b, dtype=torch.bool, device=dev)
    live[:, 0] = True
    sentence = torch.arange(n, device=dev)[:, None]

    with torch.no_grad(), CachedDecoder(model, src) as dec:
        for _ in range(1, max_len):
            if not live.any():
                break
            logp = dec.step(seqs[live])
            v = logp.size(1)
            ahead = logp.new_full((n, b, v), -math.inf)
            ahead[..., model.pad_id] = 0.0
            ahead[live] = logp
            grown = score[..., None] + ahead  # (n, b, v)
            size = size + live
            penalty = ((5 + size[..., None]) / 6) ** length_penalty
            pick = (grown / penalty).view(n, -1).topk(b, dim=1).indices
            src_place, word = pick // v, pick % v
            score = grown.view(n, -1)[sentence, pick]
            size = size[sentence, src_place]
            seqs = torch.cat([seqs[sentence, src_place], word[..., None]], dim=-1)

            numbers = torch.full((n, b), -1, device=dev)
            numbers[live] = torch.arange(int(live.sum()), device=dev)
            live = live[sentence, src_place] & (word != eos_id)
            dec.keep(numbers[sentence, src_place][live], live)

    winner = score.argmax(dim=1)
    rows = torch.arange(n, device=dev)
    end = size[rows, winner].max() + 1
    return seqs[rows, winner, :end]

# %% wrong: own_penalty_by_the_step | TRUE CAUSE: the length penalty uses the number of the step for all prefixes instead of each prefix's own length, so it is the same for all and long translations gain nothing against ended ones
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    n, b, dev = src.size(0), beam_size, src.device
    seqs = src.new_full((n, b, 1), bos_id)
    score = torch.full((n, b), -math.inf, device=dev)
    score[:, 0] = 0.0
    size = torch.zeros(n, b, dtype=torch.long, device=dev)
    live = torch.zeros(n, b, dtype=torch.bool, device=dev)
    live[:, 0] = True
    sentence = torch.arange(n, device=dev)[:, None]

    with torch.no_grad(), CachedDecoder(model, src) as dec:
        for step in range(1, max_len):
            if not live.any():
                break
            logp = dec.step(seqs[live])
            v = logp.size(1)
            ahead = logp.new_full((n, b, v), -math.inf)
            ahead[..., model.pad_id] = 0.0
            ahead[live] = logp
            grown = score[..., None] + ahead  # (n, b, v)
            size = size + live
            penalty = ((5 + step) / 6) ** length_penalty
            pick = (grown / penalty).view(n, -1).topk(b, dim=1).indices
            src_place, word = pick // v, pick % v
            score = grown.view(n, -1)[sentence, pick]
            size = size[sentence, src_place]
            seqs = torch.cat([seqs[sentence, src_place], word[..., None]], dim=-1)

            numbers = torch.full((n, b), -1, device=dev)
            numbers[live] = torch.arange(int(live.sum()), device=dev)
            live = live[sentence, src_place] & (word != eos_id)
            dec.keep(numbers[sentence, src_place][live], live)

    return seqs[:, 0, : int(size[:, 0].max()) + 1]
