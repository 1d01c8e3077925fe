# %% wrong: penalty_parenthesis | TRUE CAUSE: The blank `penalty` is `(5 + length / 6) ** length_penalty`: only the length is divided by 6, not 5 + length, so the divisor grows far too little with the length and short translations win that should lose.
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

            totals = total.unsqueeze(2) + log_probs  # (N, B, V)
            length = length + ~ended
            penalty = (5 + length / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)
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

# %% wrong: total_holds_scores | TRUE CAUSE: `total` is gathered from `scores` rather than from `totals`, so at the next step the log-probability has been divided by the length penalty already and is divided again at every step.
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

            totals = total.unsqueeze(2) + log_probs  # (N, B, V)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = scores.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)
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

# %% wrong: own_lists_only_ended_compete | TRUE CAUSE: In the end the best ENDED hypothesis of each beam is returned if there is a live one (log_p above -inf); what has not ended at max_len is passed over, though it should compete as it is, so a worse but complete translation is returned.
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

    best = []
    for beam in beams:
        complete = [hyp for hyp in beam if hyp["ended"] and hyp["log_p"] > -math.inf]
        best.append(max(complete or beam, key=score))
    width = 1 + max(hyp["n"] for hyp in best)
    rows = [hyp["words"][:width] for hyp in best]
    return torch.tensor(rows, dtype=src.dtype, device=src.device)

# %% wrong: own_memory_repeated_in_other_order | TRUE CAUSE: The memory and its mask are copied with `repeat` (sentence 0, 1, ..., 0, 1, ...) while the prefixes are flattened beam by beam (0, 0, ..., 1, 1, ...), so with more than one sentence most prefixes read the source of another sentence.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode, pad, K, N = model.training, model.pad_id, beam_size, len(src)
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, pad)
        enc = model.encode(src, mask)
        enc, mask = enc.repeat(K, 1, 1), mask.repeat(K, 1, 1, 1)
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
