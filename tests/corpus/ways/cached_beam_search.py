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


# %% right: tenth_own_whole_vocabulary
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    N, B, dev = src.size(0), beam_size, src.device
    ids = src.new_full((N, B, 1), bos_id)
    total = torch.full((N, B), -math.inf, device=dev)
    total[:, 0] = 0.0
    size = torch.zeros(N, B, dtype=torch.long, device=dev)
    alive = total == 0
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
            sums = total[:, :, None] + table
            best = (sums / penalty[:, :, None]).view(N, -1).topk(B, dim=1).indices
            total = sums.view(N, -1).gather(1, best)
            parent, token = best // V, best % V
            ids = torch.cat([ids[torch.arange(N, device=dev)[:, None], parent], token[:, :, None]], dim=2)
            size = size.gather(1, parent)
            number = torch.full((N, B), -1, dtype=torch.long, device=dev)
            number[alive] = torch.arange(int(alive.sum()), device=dev)
            alive = alive.gather(1, parent) & token.ne(eos_id)
            decoder.keep(number.gather(1, parent)[alive], alive)
    return ids[:, 0, : size[:, 0].max() + 1]

# %% right: tenth_own_python_lists
@torch.no_grad()
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    pad, dev = model.pad_id, src.device

    def score(total, tokens):
        return total / ((5 + tokens) / 6) ** length_penalty

    # a prefix: (ids, total, number of tokens, row in the caches or None)
    beams = [[([bos_id], 0.0, 0, n)] for n in range(src.size(0))]
    written = 1
    with CachedDecoder(model, src) as decoder:
        while written < max_len:
            going = [prefix for beam in beams for prefix in beam if prefix[3] is not None]
            if not going:
                break
            ids = torch.tensor([prefix[0] for prefix in going], dtype=src.dtype, device=dev)
            log_probs = decoder.step(ids)
            values, tokens = log_probs.topk(min(beam_size, log_probs.size(1)))
            values, tokens = values.tolist(), tokens.tolist()
            rows, alive = [], torch.zeros(src.size(0), beam_size, dtype=torch.bool, device=dev)
            grown = []
            for n, beam in enumerate(beams):
                options = []
                for text, total, count, row in beam:
                    if row is None:
                        options.append((score(total, count), text + [pad], total, count, None))
                        continue
                    for value, token in zip(values[row], tokens[row]):
                        t = total + value
                        goes_on = row if token != eos_id else None
                        options.append((score(t, count + 1), text + [token], t, count + 1, goes_on))
                options.sort(key=lambda option: -option[0])
                new = []
                for place, (_, text, total, count, row) in enumerate(options[:beam_size]):
                    if row is not None:
                        alive[n, place] = True
                        rows.append(row)
                        row = len(rows) - 1
                    new.append((text, total, count, row))
                grown.append(new)
            beams = grown
            written += 1
            decoder.keep(torch.tensor(rows, dtype=torch.long, device=dev), alive)
    longest = max(beam[0][2] for beam in beams)
    best = [beam[0][0][: longest + 1] for beam in beams]
    return torch.tensor(best, dtype=src.dtype, device=dev)


# %% right: eleventh_own_flat_places
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    N, B, dev = src.size(0), beam_size, src.device
    ids = src.new_full((N * B, 1), bos_id)
    score = torch.full((N, B), -math.inf, device=dev)
    score[:, 0] = 0.0
    size = src.new_zeros(N, B)
    alive = torch.zeros(N, B, dtype=torch.bool, device=dev)
    alive[:, 0] = True
    first = torch.arange(N, device=dev).unsqueeze(1) * B

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            places = alive.flatten().nonzero().squeeze(1)
            lp = decoder.step(ids[places])
            k = min(B, lp.size(1))
            add = lp.new_full((N * B, k), -math.inf)
            tok = ids.new_full((N * B, k), model.pad_id)
            add[:, 0] = 0.0
            add[places], tok[places] = lp.topk(k)

            sums = (score.view(N * B, 1) + add).view(N, B * k)
            size = size + alive.long()
            norm = ((5 + size) / 6).pow(length_penalty).repeat_interleave(k, dim=1)
            best = (sums / norm).topk(B, dim=1).indices
            from_ = (best // k + first).flatten()
            token = tok.view(N, B * k).gather(1, best)
            score = sums.gather(1, best)
            ids = torch.cat([ids[from_], token.view(N * B, 1)], dim=1)
            size = size.flatten()[from_].view(N, B)

            row_of = src.new_full((N * B,), -1)
            row_of[places] = torch.arange(len(places), device=dev)
            alive = alive.flatten()[from_].view(N, B) & (token != eos_id)
            decoder.keep(row_of[from_][alive.flatten()], alive)
    end = int(size[:, 0].max()) + 1
    return ids.view(N, B, -1)[:, 0, :end]

# %% right: eleventh_own_dictionary_of_rows
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, inf = src.size(0), float("inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.full((batch, beam_size), -inf, device=src.device)
    total[:, 0] = 0
    length = src.new_zeros(batch, beam_size)
    alive = total > -inf

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(1))
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), -inf)
            added[..., 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)
            totals = total[:, :, None] + added
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink[:, :, None]).flatten(1).topk(beam_size).indices
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            sentence = torch.arange(batch, device=src.device)[:, None]
            ids = torch.cat([ids[sentence, parent], token[:, :, None]], dim=2)
            length = length[sentence, parent]

            before, rows = alive.tolist(), []
            number, row = {}, 0
            for n in range(batch):
                for b in range(beam_size):
                    if before[n][b]:
                        number[n, b] = row
                        row += 1
            alive = alive[sentence, parent] & (token != eos_id)
            for n, b in alive.nonzero().tolist():
                rows.append(number[n, parent[n, b].item()])
            decoder.keep(torch.tensor(rows, dtype=torch.long, device=src.device), alive)
    return ids[:, 0, : length[:, 0].max() + 1]


# %% right: twelfth_own_whole_vocabulary
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

    return seqs[:, 0, : int(size[:, 0].max()) + 1]

# %% right: twelfth_own_lists_of_prefixes
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    def rank(prefix):
        words, total, _ = prefix
        return total / ((5 + len(words) - 1) / 6) ** length_penalty

    beams = [[([bos_id], 0.0, True)] for _ in range(src.size(0))]  # (words, total, goes on)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            running = [words for beam in beams for words, _, on in beam if on]
            if not running:
                break
            log_probs = decoder.step(torch.tensor(running, dtype=src.dtype, device=src.device))
            best, words_of = log_probs.topk(min(beam_size, log_probs.size(1)))
            best, words_of = best.tolist(), words_of.tolist()

            row, rows = 0, []
            places = torch.zeros(src.size(0), beam_size, dtype=torch.bool, device=src.device)
            for i, beam in enumerate(beams):
                candidates = []
                for words, total, on in beam:
                    if not on:
                        candidates.append(((words, total, False), None))
                        continue
                    for log_p, word in zip(best[row], words_of[row]):
                        new = (words + [word], total + log_p, word != eos_id)
                        candidates.append((new, row))
                    row += 1
                candidates.sort(key=lambda c: rank(c[0]), reverse=True)
                beams[i] = [prefix for prefix, _ in candidates[:beam_size]]
                for place, (prefix, parent) in enumerate(candidates[:beam_size]):
                    if prefix[2]:
                        places[i, place] = True
                        rows.append(parent)
            decoder.keep(torch.tensor(rows, dtype=torch.long, device=src.device), places)

    winners = [beam[0][0] for beam in beams]
    longest = max(len(words) for words in winners)
    padded = [words + [model.pad_id] * (longest - len(words)) for words in winners]
    return torch.tensor(padded, dtype=src.dtype, device=src.device)
