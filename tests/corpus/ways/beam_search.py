# %% right: quotient_and_what_is_left
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best prefixes of each translation and return the best in the end.

    Same form as greedy_decode, and the model's mode is taken care of as there. A prefix
    scores its log-probability divided by ((5 + length) / 6) ** length_penalty, so that longer
    ones are not shunned (Wu et al. 2016).
    """
    was_training = model.training
    model.eval()
    with torch.no_grad():
        batch, minus_inf = src.size(0), float("-inf")
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        memory = memory.repeat_interleave(beam_size, dim=0)  # (N*B, S, D)
        src_mask = src_mask.repeat_interleave(beam_size, dim=0)  # (N*B, 1, 1, S)

        # All begin alike, so only the first of each beam may grow at first.
        ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length)
        total = torch.zeros(batch, beam_size, device=src.device)  # log-probability of each
        total[:, 1:] = minus_inf
        length = src.new_zeros(batch, beam_size)  # without bos_id, with eos_id
        ended = total == minus_inf  # the dead count as ended: only padding follows them

        for _ in range(1, max_len):
            if ended.all():
                break
            rows = ids.flatten(0, 1)  # (N*B, length)
            tgt_mask = target_mask(rows, model.pad_id)
            decoded = model.decode(rows, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N*B, V)
            log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

            # What has ended can continue in one way only, with padding, at no cost.
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
            log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)

            totals = log_probs + total[:, :, None]  # (N, B, V)
            length = length + ~ended
            penalty = torch.pow((length + 5) / 6, length_penalty)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            vocab = log_probs.shape[-1]
            _, best = torch.topk(scores.reshape(batch, -1), k=beam_size, dim=-1)
            total = totals.reshape(batch, -1).gather(1, best)
            parent = torch.div(best, vocab, rounding_mode="floor")
            token = best - parent * vocab
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = F.pad(grown, (0, 1))  # one place longer
            ids[:, :, -1] = token
            length = length.gather(1, parent)
            ended = ended.gather(1, parent)
            ended[token == eos_id] = True
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% right: longhand
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode = model.training
    model.eval()
    with torch.no_grad():
        n, b = src.size(0), beam_size
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask).repeat_interleave(b, dim=0)
        src_mask = src_mask.repeat_interleave(b, dim=0)

        ids = torch.full((n, b, 1), bos_id, dtype=src.dtype, device=src.device)
        total = torch.full((n, b), -math.inf, device=src.device)
        total[:, 0] = 0.0
        length = torch.zeros((n, b), dtype=torch.long, device=src.device)
        ended = total.isinf()
        row = torch.arange(n, device=src.device).unsqueeze(1)

        while ids.size(2) < max_len and not ended.all():
            rows = ids.reshape(n * b, -1)
            decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
            log_probs = model.generator(decoded[:, -1]).reshape(n, b, -1)
            vocab = log_probs.size(-1)
            waiting = torch.full((vocab,), -math.inf, device=src.device)
            waiting[model.pad_id] = 0.0
            log_probs = torch.where(ended.unsqueeze(-1), waiting, log_probs)

            length = length + (~ended).long()
            totals = total.unsqueeze(-1) + log_probs
            divisor = ((5.0 + length) / 6.0).pow(length_penalty)
            scores = (totals / divisor.unsqueeze(-1)).reshape(n, b * vocab)
            best = torch.topk(scores, b, dim=-1)[1]
            parent = best.div(vocab, rounding_mode="floor")
            token = best.remainder(vocab).to(ids.dtype)

            total = totals.reshape(n, b * vocab)[row, best]
            ids = torch.cat([ids[row, parent], token.unsqueeze(-1)], dim=-1)
            length = length[row, parent]
            ended = ended[row, parent] | (token == eos_id)
        longest = int(length[:, 0].max())
    model.train(mode)
    return ids[:, 0, : 1 + longest]


# %% right: own_flat_rows
@torch.no_grad()
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode = model.training
    model.eval()
    n, k, pad = len(src), beam_size, model.pad_id
    src_mask = padding_mask(src, pad)
    memory = model.encode(src, src_mask).repeat_interleave(k, 0)
    src_mask = src_mask.repeat_interleave(k, 0)
    first = torch.arange(n, device=src.device)[:, None] * k  # first row of each sentence

    ids = src.new_full((n * k, 1), bos_id)
    total = torch.full((n, k), -math.inf, device=src.device)
    total[:, 0] = 0.0
    total = total.flatten()
    ended = total.isinf()
    length = torch.zeros_like(ids[:, 0])
    for _ in range(max_len - 1):
        if ended.all():
            break
        h = model.decode(ids, memory, src_mask, target_mask(ids, pad))
        logp = model.generator(h[:, -1])
        vocab = logp.size(-1)
        only_pad = torch.full_like(logp, -math.inf)
        only_pad[:, pad] = 0.0
        logp = torch.where(ended[:, None], only_pad, logp)
        new_total = total[:, None] + logp
        new_length = torch.where(ended, length, length + 1)
        lp = ((5 + new_length) / 6).pow(length_penalty)
        score = new_total / lp[:, None]
        place = score.view(n, k * vocab).topk(k, dim=1).indices
        row = (first + place // vocab).flatten()
        token = (place % vocab).flatten()
        ids = torch.cat([ids[row], token[:, None]], dim=1)
        total = new_total[row, token]
        length = new_length[row]
        ended = ended[row] | (token == eos_id)
    model.train(mode)
    best = ids[::k]
    return best[:, : int(length[::k].max()) + 1]
# %% right: own_lists_of_prefixes
@torch.no_grad()
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    pad = model.pad_id
    src_mask = padding_mask(src, pad)
    memory = model.encode(src, src_mask)
    memory = memory.repeat_interleave(beam_size, dim=0)
    src_mask = src_mask.repeat_interleave(beam_size, dim=0)

    # one beam per sentence; each prefix is (tokens with bos and no padding, log-probability, has it ended?)
    beams = [
        [([bos_id], 0.0, False)] + [([bos_id], -math.inf, True)] * (beam_size - 1) for _ in src
    ]

    def score(prefix):
        tokens, total, _ = prefix
        size = len(tokens) - 1  # without bos
        return total / ((5 + size) / 6) ** length_penalty

    def filled(lists, size):
        return src.new_tensor([tokens + [pad] * (size - len(tokens)) for tokens in lists])

    for width in range(1, max_len):
        if all(done for beam in beams for _, _, done in beam):
            break
        rows = filled([tokens for beam in beams for tokens, _, _ in beam], width)
        vectors = model.decode(rows, memory, src_mask, target_mask(rows, pad))
        said = model.generator(vectors[:, -1]).tolist()
        for i, beam in enumerate(beams):
            candidates = []
            for b, (tokens, total, done) in enumerate(beam):
                if done:
                    candidates.append((tokens, total, True))
                    continue
                for token, log_prob in enumerate(said[i * beam_size + b]):
                    candidates.append((tokens + [token], total + log_prob, token == eos_id))
            beams[i] = sorted(candidates, key=score, reverse=True)[:beam_size]
    model.train(was_training)
    winners = [beam[0][0] for beam in beams]
    return filled(winners, max(len(tokens) for tokens in winners))


# %% right: tenth_own_buffer_and_indexing
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode, pad, K, N = model.training, model.pad_id, beam_size, len(src)
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, pad)
        enc = model.encode(src, mask)
        enc = enc[:, None].expand(-1, K, -1, -1).reshape(N * K, *enc.shape[1:])
        mask = mask[:, None].expand(-1, K, *mask.shape[1:]).reshape(N * K, *mask.shape[1:])
        hyps = torch.full((N, K, max_len), pad, dtype=src.dtype, device=src.device)
        hyps[..., 0] = bos_id
        logp = torch.full((N, K), -math.inf, device=src.device)
        logp[:, 0] = 0.0
        size = torch.zeros(N, K, dtype=torch.long, device=src.device)
        done = torch.isinf(logp)
        row = torch.arange(N, device=src.device)[:, None]
        t = 1
        while t < max_len and not done.all():
            ys = hyps[..., :t].reshape(N * K, t)
            out = model.decode(ys, enc, mask, target_mask(ys, pad))
            step = model.generator(out[:, -1]).reshape(N, K, -1)
            V = step.size(-1)
            only_pad = torch.full((V,), -math.inf, device=src.device)
            only_pad[pad] = 0.0
            step = torch.where(done[..., None], only_pad, step)
            size = size + (~done).long()
            sums = logp[..., None] + step
            ranks = sums / (((5.0 + size) / 6.0) ** length_penalty)[..., None]
            _, where = ranks.reshape(N, K * V).topk(K)
            who = torch.div(where, V, rounding_mode="floor")
            what = where - who * V
            logp = sums[row, who, what]
            hyps = hyps[row, who]
            hyps[..., t] = what
            size, done = size[row, who], done[row, who] | (what == eos_id)
            t += 1
    model.train(mode)
    return hyps[:, 0, : int(size[:, 0].max()) + 1]

# %% right: tenth_own_lists
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    def score(hyp):
        return hyp["log_p"] / ((5 + hyp["n"]) / 6) ** length_penalty

    def start(log_p, ended):
        return {"words": [bos_id], "log_p": log_p, "n": 0, "ended": ended}

    was_training = model.training
    model.eval()
    dead = [start(-math.inf, True)] * (beam_size - 1)
    beams = [[start(0.0, False)] + dead for _ in range(src.size(0))]
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        owner = [i for i in range(src.size(0)) for _ in range(beam_size)]
        memory, src_mask = memory[owner], src_mask[owner]
        for _ in range(max_len - 1):
            flat = [hyp for beam in beams for hyp in beam]
            if all(hyp["ended"] for hyp in flat):
                break
            ids = torch.tensor([hyp["words"] for hyp in flat], dtype=src.dtype, device=src.device)
            out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            log_probs = model.generator(out[:, -1])
            top = log_probs.topk(min(beam_size, log_probs.size(-1)), dim=-1)
            found = [[] for _ in beams]
            for i, hyp, ps, ts in zip(owner, flat, top.values.tolist(), top.indices.tolist()):
                if hyp["ended"]:
                    found[i].append({**hyp, "words": hyp["words"] + [model.pad_id]})
                    continue
                for p, t in zip(ps, ts):
                    found[i].append(
                        {
                            "words": hyp["words"] + [t],
                            "log_p": hyp["log_p"] + p,
                            "n": hyp["n"] + 1,
                            "ended": t == eos_id,
                        }
                    )
            beams = [sorted(c, key=score, reverse=True)[:beam_size] for c in found]
    model.train(was_training)

    best = [beam[0] for beam in beams]
    width = 1 + max(hyp["n"] for hyp in best)
    rows = [hyp["words"][:width] for hyp in best]
    return torch.tensor(rows, dtype=src.dtype, device=src.device)


# %% right: eleventh_own_hypotheses_as_tuples
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    pad = model.pad_id

    def score(hyp):
        _, log_p, size, _ = hyp
        return log_p / ((5 + size) / 6) ** length_penalty

    def continuations(hyp, log_probs):
        tokens, log_p, size, over = hyp
        if over:
            return [(tokens + [pad], log_p, size, True)]
        return [
            (tokens + [token], log_p + more, size + 1, token == eos_id)
            for token, more in enumerate(log_probs)
        ]

    was = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, pad)
        memory = model.encode(src, mask)
        memory = torch.repeat_interleave(memory, beam_size, 0)
        mask = torch.repeat_interleave(mask, beam_size, 0)
        start = [([bos_id], 0.0, 0, False)]
        start += [([bos_id], -math.inf, 0, True) for _ in range(beam_size - 1)]
        beams = [list(start) for _ in range(len(src))]
        for _ in range(max_len - 1):
            if all(hyp[3] for beam in beams for hyp in beam):
                break
            rows = src.new_tensor([hyp[0] for beam in beams for hyp in beam])
            decoded = model.decode(rows, memory, mask, target_mask(rows, pad))
            table = model.generator(decoded[:, -1]).tolist()
            for i, beam in enumerate(beams):
                grown = []
                for j, hyp in enumerate(beam):
                    grown += continuations(hyp, table[i * beam_size + j])
                beams[i] = sorted(grown, key=score, reverse=True)[:beam_size]
    model.train(was)
    best = [beam[0] for beam in beams]
    width = max(hyp[2] for hyp in best) + 1
    return src.new_tensor([hyp[0][:width] for hyp in best])

# %% right: eleventh_own_flat_rows_with_offsets
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    training, pad = model.training, model.pad_id
    model.eval()
    with torch.no_grad():
        N, B = src.shape[0], beam_size
        mask = padding_mask(src, pad)
        memory = model.encode(src, mask)
        sentence = torch.arange(N, device=src.device).repeat_interleave(B)
        memory, mask = memory[sentence], mask[sentence]
        first = torch.arange(N, device=src.device)[:, None] * B
        ids = torch.full((N * B, 1), bos_id, dtype=src.dtype, device=src.device)
        total = torch.full((N, B), -math.inf, device=src.device)
        total[:, 0] = 0.0
        total = total.reshape(-1)
        ended = total.isinf()
        length = torch.zeros_like(ids[:, 0])
        while ids.shape[1] < max_len and not bool(ended.all()):
            hidden = model.decode(ids, memory, mask, target_mask(ids, pad))[:, -1]
            logp = model.generator(hidden)
            V = logp.shape[-1]
            stay = torch.full((V,), -math.inf, device=src.device)
            stay[pad] = 0.0
            totals = total[:, None] + torch.where(ended[:, None], stay, logp)
            length = torch.where(ended, length, length + 1)
            scores = totals / ((5 + length[:, None]) / 6) ** length_penalty
            place = scores.reshape(N, B * V).sort(dim=1, descending=True).indices[:, :B]
            row = (first + torch.div(place, V, rounding_mode="floor")).reshape(-1)
            token = (place % V).reshape(-1)
            ids = torch.cat([ids[row], token[:, None]], dim=1)
            total = totals[row, token]
            length = length[row]
            ended = ended[row] | (token == eos_id)
    model.train(training)
    winners = slice(None, None, B)
    return ids[winners, : int(length[winners].max()) + 1]


# %% right: twelfth_own_python_lists
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    pad, mode = model.pad_id, model.training
    model.eval()

    def score(hypothesis):
        tokens, log_prob, size, _ = hypothesis
        return log_prob / ((5 + size) / 6) ** length_penalty

    with torch.no_grad():
        src_mask = padding_mask(src, pad)
        memory = model.encode(src, src_mask)
        beams = [[([bos_id], 0.0, 0, False)] for _ in range(len(src))]
        for _ in range(max_len - 1):
            where = [n for n, beam in enumerate(beams) for one in beam]
            if all(one[3] for beam in beams for one in beam):
                break
            rows = src.new_tensor([one[0] for beam in beams for one in beam])
            at = torch.tensor(where, device=src.device)
            decoded = model.decode(rows, memory[at], src_mask[at], target_mask(rows, pad))
            table = iter(model.generator(decoded[:, -1]).tolist())
            grown = []
            for beam in beams:
                candidates = []
                for tokens, log_prob, size, over in beam:
                    following = next(table)
                    if over:
                        candidates.append((tokens + [pad], log_prob, size, True))
                        continue
                    for token, value in enumerate(following):
                        new = (tokens + [token], log_prob + value, size + 1, token == eos_id)
                        candidates.append(new)
                grown.append(sorted(candidates, key=score, reverse=True)[:beam_size])
            beams = grown
    model.train(mode)
    winners = [beam[0] for beam in beams]
    longest = max(one[2] for one in winners)
    return src.new_tensor([one[0][: longest + 1] for one in winners])

# %% right: twelfth_own_rows_by_index
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    state = model.training
    model.eval()
    n, k, pad = len(src), beam_size, model.pad_id
    with torch.no_grad():
        see = padding_mask(src, pad)
        memory = model.encode(src, see)
        spread = torch.arange(n, device=src.device).repeat_interleave(k)
        memory, see = memory[spread], see[spread]
        first = torch.arange(n, device=src.device)[:, None] * k  # row of each beam's first prefix
        rows = src.new_full((n * k, 1), bos_id)
        logp = torch.full((n, k), -math.inf, device=src.device)
        logp[:, 0] = 0
        done = logp.isinf()
        size = torch.zeros_like(logp)
        while rows.size(1) < max_len and not done.all():
            hidden = model.decode(rows, memory, see, target_mask(rows, pad))
            step = model.generator(hidden[:, -1]).view(n, k, -1)
            v = step.size(-1)
            waiting = torch.full_like(step, -math.inf)
            waiting[..., pad] = 0
            step = torch.where(done[..., None], waiting, step)
            sums = logp[..., None] + step
            size = size + (~done).float()
            ranked = sums / (((5 + size) / 6) ** length_penalty)[..., None]
            _, place = ranked.view(n, k * v).topk(k)
            who, what = place.div(v, rounding_mode="floor"), place.remainder(v)
            logp = sums.view(n, k * v).gather(1, place)
            size = size.gather(1, who)
            done = done.gather(1, who) | (what == eos_id)
            rows = torch.cat([rows[(first + who).flatten()], what.reshape(-1, 1)], dim=1)
    model.train(state)
    width = int(size[:, 0].max()) + 1
    return rows.view(n, k, -1)[:, 0, :width]
