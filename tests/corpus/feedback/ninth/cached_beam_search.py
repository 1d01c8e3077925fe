# %% wrong: alive_without_the_parent | TRUE CAUSE: The blank `goes_on` combines the new tokens with alive at the same place instead of at the parent's place, so at the first step all places but the first count as ended, and later continuations of living prefixes are lost.
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
            count = alive.flatten().cumsum(dim=0)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive & (token != eos_id)  # blank: goes_on
            decoder.keep(row.gather(1, parent)[alive], alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: rows_of_the_places_not_parents | TRUE CAUSE: The blank `rows` takes the row number that stands at each living place itself instead of that of its parent, so a prefix goes on with keys and values of another prefix.
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
            count = alive.flatten().cumsum(dim=0)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)  # blank: goes_on
            decoder.keep(row[alive], alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: own_numbers_restart_in_each_sentence | TRUE CAUSE: Rows are numbered by cumsum over the places of each sentence alone, without the rows of the sentences before it, so every sentence but the first takes over keys and values of the first sentences' rows.
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    N, B, pad = src.size(0), beam_size, model.pad_id
    ids = torch.full((N, B, 1), bos_id, dtype=src.dtype, device=src.device)
    score = torch.full((N, B), float("-inf"), device=src.device)
    score[:, 0] = 0.0
    steps = torch.zeros(N, B, dtype=torch.long, device=src.device)
    alive = torch.zeros(N, B, dtype=torch.bool, device=src.device)
    alive[:, 0] = True

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if not alive.any():
                break
            lp = decoder.step(ids[alive])
            V = lp.size(1)
            table = lp.new_full((N, B, V), float("-inf"))
            table[:, :, pad] = 0.0
            table[alive] = lp

            steps = steps + alive
            sums = score[:, :, None] + table
            ranked = sums / ((5 + steps) / 6)[:, :, None] ** length_penalty
            pick = ranked.reshape(N, B * V).topk(B, dim=1).indices
            parent = torch.div(pick, V, rounding_mode="floor")
            token = pick % V

            score = sums.reshape(N, B * V).gather(1, pick)
            steps = steps.gather(1, parent)
            ids = torch.stack([beam[p] for beam, p in zip(ids, parent)])
            ids = torch.cat([ids, token[:, :, None]], dim=-1)

            numbers = alive.long().cumsum(dim=1) - 1
            alive = alive.gather(1, parent) & token.ne(eos_id)
            decoder.keep(numbers.gather(1, parent)[alive], alive)
    return ids[:, 0, : steps[:, 0].max() + 1]

# %% wrong: own_carries_on_the_penalized_score | TRUE CAUSE: The score divided by the length penalty is kept as the prefix's total for the next step instead of the plain sum of log-probabilities, so the penalty is applied again at every step and other prefixes win.
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    n, minus_inf = len(src), -math.inf
    offset = (torch.arange(n, device=src.device) * beam_size)[:, None]  # all beams in one long row
    hyps = src.new_full((n * beam_size, 1), bos_id)
    logp = torch.full((n, beam_size), minus_inf, device=src.device)
    logp[:, 0] = 0
    live = (logp == 0).flatten()
    size = torch.zeros(n * beam_size, dtype=torch.long, device=src.device)

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while live.any() and hyps.size(1) < max_len:
            out = decoder.step(hyps[live])
            vocab = out.size(-1)
            full = torch.full((n * beam_size, vocab), minus_inf, device=src.device)
            full[:, model.pad_id] = 0
            full[live] = out
            size = size + live
            cand = logp.view(-1, 1) + full
            norm = cand / (((size + 5) / 6) ** length_penalty).unsqueeze(1)
            best = norm.view(n, -1).topk(beam_size).indices
            logp = norm.view(n, -1).gather(1, best)
            origin = (best // vocab + offset).flatten()
            word = (best % vocab).flatten()
            hyps = torch.cat([hyps[origin], word[:, None]], dim=1)
            size = size[origin]
            number = torch.full_like(origin, -1)
            number[live] = torch.arange(int(live.sum()), device=src.device)
            live = live[origin] & (word != eos_id)
            decoder.keep(number[origin][live], live.view(n, beam_size))
    best_of = hyps.view(n, beam_size, -1)[:, 0]
    return best_of[:, : int(size.view(n, beam_size)[:, 0].max()) + 1]

