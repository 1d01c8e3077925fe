# %% wrong: scores_become_total | TRUE CAUSE: `total, best = scores.flatten(1).topk(beam_size)` stores the length-penalized scores as the new total instead of the plain log-probabilities, so each step divides sums that have been divided before and the prefixes are ranked by something other than log P / lp
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
            total, best = scores.flatten(1).topk(beam_size, dim=1)  # (N, B)
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

# %% wrong: penalty_of_common_length | TRUE CAUSE: the penalty is computed from ids.size(2), the number of steps so far, which is the same for all prefixes, instead of each prefix's own `length`, so what has ended is divided by a divisor that goes on growing and the length penalty never changes a ranking
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
            penalty = torch.full_like(total, ((5 + ids.size(2)) / 6) ** length_penalty)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = torch.div(best, totals.size(-1), rounding_mode="floor")
            token = best - parent * totals.size(-1)
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

# %% wrong: own_unfinished_thrown_away | TRUE CAUSE: when max_len is reached, `choose` returns the best hypothesis that ended with eos_id whenever there is one, and looks at unfinished ones only if none ended, although what has not ended competes as it is by its score
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    pad = model.pad_id

    def score(hyp):
        return hyp["logp"] / ((5 + hyp["len"]) / 6) ** length_penalty

    def choose(hyps):
        done = [h for h in hyps if h["done"] and h["logp"] > -math.inf]
        return max(done or hyps, key=score)

    mode = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, pad)
        memory = model.encode(src, mask).repeat_interleave(beam_size, 0)
        mask = mask.repeat_interleave(beam_size, 0)
        beams = []
        for _ in range(src.shape[0]):
            beams.append(
                [
                    {"ids": [bos_id], "logp": -math.inf if k else 0.0, "len": 0, "done": k > 0}
                    for k in range(beam_size)
                ]
            )
        for _ in range(max_len - 1):
            if all(h["done"] for beam in beams for h in beam):
                break
            rows = torch.tensor([h["ids"] for beam in beams for h in beam], device=src.device)
            out = model.decode(rows, memory, mask, target_mask(rows, pad))
            logp = model.generator(out[:, -1])
            values, tokens = logp.topk(min(beam_size, logp.shape[1]))
            values, tokens = values.tolist(), tokens.tolist()
            for n, beam in enumerate(beams):
                grown = []
                for k, h in enumerate(beam):
                    if h["done"]:
                        grown.append({**h, "ids": h["ids"] + [pad]})
                        continue
                    for value, token in zip(values[n * beam_size + k], tokens[n * beam_size + k]):
                        grown.append(
                            {
                                "ids": h["ids"] + [token],
                                "logp": h["logp"] + value,
                                "len": h["len"] + 1,
                                "done": token == eos_id,
                            }
                        )
                beams[n] = sorted(grown, key=score, reverse=True)[:beam_size]
    model.train(mode)
    best = [choose(beam) for beam in beams]
    width = 1 + max(h["len"] for h in best)
    return torch.tensor([h["ids"][:width] for h in best], device=src.device)

# %% wrong: own_length_stays_in_its_slot | TRUE CAUSE: after the best continuations are chosen, ids, total and ended are reordered by `whose`, but `length` is not, so a prefix takes over the length of whatever stood in its slot before; penalties and the final cut are computed from wrong lengths
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    training, pad = model.training, model.pad_id
    model.eval()
    with torch.no_grad():
        N, B = src.shape[0], beam_size
        n = torch.arange(N, device=src.device)[:, None]
        mask = padding_mask(src, pad)
        memory = model.encode(src, mask)
        copies = torch.arange(N, device=src.device).repeat_interleave(B)
        memory, mask = memory[copies], mask[copies]
        ids = torch.full((N, B, 1), bos_id, dtype=src.dtype, device=src.device)
        total = torch.full((N, B), -math.inf, device=src.device)
        total[:, 0] = 0.0
        ended = total.isinf()
        length = torch.zeros_like(ended, dtype=torch.long)
        while ids.shape[-1] < max_len and not ended.all():
            flat = ids.reshape(N * B, -1)
            hidden = model.decode(flat, memory, mask, target_mask(flat, pad))[:, -1]
            logp = model.generator(hidden).reshape(N, B, -1)
            V = logp.shape[-1]
            only_pad = torch.full((V,), -math.inf, device=src.device)
            only_pad[pad] = 0.0
            logp = torch.where(ended[..., None], only_pad, logp)
            totals = total[..., None] + logp
            length = length + (~ended).long()
            lp = ((5 + length) / 6).pow(length_penalty)
            place = (totals / lp[..., None]).reshape(N, B * V).argsort(-1, descending=True)[:, :B]
            whose, which = place // V, place % V
            total = totals[n, whose, which]
            ids = torch.cat([ids[n, whose], which[..., None]], dim=-1)
            ended = ended[n, whose] | (which == eos_id)
    model.train(training)
    return ids[:, 0, : int(length[:, 0].max()) + 1]
