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
