# %% wrong: own_padding_written_into_a_copy | added[~alive] is a copy (a boolean index), so the 0.0 for padding never arrives in added: what has ended cannot continue at all, gets minus infinity, and is lost.
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch = src.size(0)
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length)
    total = torch.full((batch, beam_size), -math.inf, device=src.device)
    total[:, 0] = 0.0
    length = src.new_zeros(batch, beam_size)
    alive = total == 0
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(1, max_len):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])  # (R, V)
            vocabulary = log_probs.size(1)
            added = log_probs.new_full((batch, beam_size, vocabulary), -math.inf)
            added[alive] = log_probs
            added[~alive][:, model.pad_id] = 0.0  # ended: padding, at no cost
            totals = (total.unsqueeze(2) + added).flatten(1)  # (N, B*V)
            length = length + alive
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.repeat_interleave(vocabulary, dim=1)
            best = scores.topk(beam_size, dim=1).indices  # (N, B)
            parent = best // vocabulary
            token = (best % vocabulary).to(ids.dtype)
            total = totals.gather(1, best)
            length = length.gather(1, parent)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            row = torch.zeros_like(parent)  # (N, B): the row of each prefix that was alive
            row[alive] = torch.arange(log_probs.size(0), device=src.device)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]
# %% wrong: row_of_the_place_itself | the blank rows takes the row that stood at the same place before (row[alive]) instead of that of its parent (row.gather(1, parent)[alive]), so prefixes go on with keys and values of another prefix
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
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
# %% wrong: own_best_by_raw_total | at the end the prefix with the largest sum of log-probabilities is taken (score.argmax), not the first of the beam, which is best after the division by the length penalty: short translations win
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
# %% wrong: own_alive_of_the_old_place | the new alive combines the old place's own alive with the new token, without going to the parent's place, so a prefix that ended may go on and one that is alive may be stopped
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
            alive = alive & (token != eos_id)
            decoder.keep(row_of[from_][alive.flatten()], alive)
    end = int(size[:, 0].max()) + 1
    return ids.view(N, B, -1)[:, 0, :end]
# %% wrong: own_carries_on_the_penalized_score | The score divided by the length penalty is kept as the prefix's total for the next step instead of the plain sum of log-probabilities, so the penalty is applied again at every step and other prefixes win.
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
