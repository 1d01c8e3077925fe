# %% right: rows_by_assignment
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(1))
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            row = torch.zeros_like(parent)
            row[alive] = torch.arange(log_probs.size(0), device=src.device)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% right: parents_rows_first
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
            count = alive.reshape(-1).long().cumsum(0)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = torch.take_along_dim(alive, parent, dim=1) & ~(token == eos_id)  # blank: goes_on
            decoder.keep(row.take_along_dim(parent, dim=1).masked_select(alive), alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids


# %% right: own_flat_rows
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """All beams lie one after the other, N*B prefixes in all."""
    n, minus_inf, dev = src.size(0), float("-inf"), src.device
    first = torch.arange(n, device=dev).unsqueeze(1) * beam_size  # where each beam begins
    hyps = src.new_full((n * beam_size, 1), bos_id)
    logp = torch.full((n, beam_size), minus_inf, device=dev)
    logp[:, 0] = 0.0
    logp = logp.flatten()
    live = logp == 0
    size = torch.zeros(n * beam_size, dtype=torch.long, device=dev)

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while hyps.size(1) < max_len and live.any():
            out = decoder.step(hyps[live])  # (R, V)
            vocab = out.size(1)
            full = out.new_full((n * beam_size, vocab), minus_inf)
            full[:, model.pad_id] = 0.0
            full[live] = out
            size = size + live.long()
            sums = logp.unsqueeze(1) + full
            scores = sums / (((5 + size) / 6) ** length_penalty).unsqueeze(1)
            best = scores.view(n, -1).topk(beam_size, dim=1).indices
            origin = (first + best // vocab).flatten()
            word = (best % vocab).flatten()
            logp = sums[origin, word]
            hyps = torch.hstack([hyps[origin], word.unsqueeze(1)])
            size = size[origin]
            number = torch.full_like(origin, -1)
            number[live] = torch.arange(out.size(0), device=dev)
            live = live[origin] & (word != eos_id)
            decoder.keep(number[origin[live]], live.view(n, beam_size))
    winners = slice(0, None, beam_size)
    return hyps[winners, : int(size[winners].max()) + 1]

# %% right: own_lists_of_prefixes
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    # A prefix is (ids, log-probability, length, row in the caches); the row is None at the end.
    n = src.size(0)
    minus_inf = float("-inf")
    beams = [
        [([bos_id], 0.0 if b == 0 else minus_inf, 0, s if b == 0 else None) for b in range(beam_size)]
        for s in range(n)
    ]

    def rank(total, length):
        return total / ((5 + length) / 6) ** length_penalty

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            running = [ids for beam in beams for ids, _, _, row in beam if row is not None]
            if not running:
                break
            log_probs = decoder.step(torch.tensor(running, device=src.device, dtype=src.dtype))
            width = min(beam_size, log_probs.size(1))
            values, tokens = log_probs.topk(width, dim=1)
            values, tokens = values.tolist(), tokens.tolist()

            rows, alive, grown = [], [], []
            for beam in beams:
                candidates = []
                for ids, total, length, row in beam:
                    if row is None:
                        candidates.append((ids + [model.pad_id], total, length, None))
                        continue
                    for value, token in zip(values[row], tokens[row]):
                        goes_on = None if token == eos_id else row
                        candidates.append((ids + [token], total + value, length + 1, goes_on))
                candidates.sort(key=lambda c: rank(c[1], c[2]), reverse=True)
                # in the very first steps there may be fewer than a whole beam
                while len(candidates) < beam_size:
                    candidates.append((candidates[0][0], minus_inf, 0, None))
                chosen = []
                for ids, total, length, row in candidates[:beam_size]:
                    alive.append(row is not None)
                    if row is not None:
                        rows.append(row)
                        row = len(rows) - 1
                    chosen.append((ids, total, length, row))
                grown.append(chosen)
            beams = grown
            decoder.keep(
                torch.tensor(rows, dtype=torch.long, device=src.device),
                torch.tensor(alive, device=src.device).view(n, beam_size),
            )
    longest = max(beam[0][2] for beam in beams)
    best = [beam[0][0][: longest + 1] for beam in beams]
    return torch.tensor(best, dtype=src.dtype, device=src.device)
