# %% wrong: times_in_place_of_power | TRUE CAUSE: the penalty multiplies (5 + length) / 6 by length_penalty instead of raising it to that power, so the lengths count with exponent 1 whatever alpha is, and with length_penalty=0 everything is divided by 0
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
            penalty = (5 + length) / 6 * length_penalty  # (N, B)
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

# %% wrong: best_by_total | TRUE CAUSE: topk ranks totals instead of scores, so the length penalty is computed but never decides anything and short translations win as with length_penalty=0
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
            best = totals.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
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

# %% wrong: own_unfinished_never_win | TRUE CAUSE: in the end a translation that has not ended at max_len is left out as soon as any in its beam has ended, although it should compete as it is, so a better-scored unfinished one loses
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
    winners = []
    for beam in beams:
        finished = [one for one in beam if one[3]]
        winners.append(max(finished or beam, key=score))
    longest = max(one[2] for one in winners)
    return src.new_tensor([one[0][: longest + 1] for one in winners])

# %% wrong: own_done_keeps_old_order | TRUE CAUSE: done is not gathered by the parents, so after the beam is reordered the flags of the old places are joined with the new tokens: a live prefix counts as ended (only padding follows) and an ended one may go on
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
            done = done | (what == eos_id)
            rows = torch.cat([rows[(first + who).flatten()], what.reshape(-1, 1)], dim=1)
    model.train(state)
    width = int(size[:, 0].max()) + 1
    return rows.view(n, k, -1)[:, 0, :width]
