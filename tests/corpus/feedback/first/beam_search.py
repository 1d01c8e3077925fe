# %% wrong: no_total | TRUE CAUSE: the log-probability of the beginning is not added, so each step is judged by the newest token alone
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best beginnings of each translation and return the best that grows.

    Same form as greedy_decode, and the model's mode is taken care of as there. A beginning
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
        ended = total == minus_inf

        while ids.size(2) < max_len and not ended.all():
            rows = ids.flatten(0, 1)  # (N*B, length)
            tgt_mask = target_mask(rows, model.pad_id)
            decoded = model.decode(rows, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N*B, V)
            log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

            # What has ended goes on in one way only, with padding, at no cost.
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
            log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)

            totals = log_probs  # (N, B, V)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: brackets | TRUE CAUSE: the brackets of the penalty are misplaced, 5 + length / 6 instead of (5 + length) / 6
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best beginnings of each translation and return the best that grows.

    Same form as greedy_decode, and the model's mode is taken care of as there. A beginning
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
        ended = total == minus_inf

        while ids.size(2) < max_len and not ended.all():
            rows = ids.flatten(0, 1)  # (N*B, length)
            tgt_mask = target_mask(rows, model.pad_id)
            decoded = model.decode(rows, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N*B, V)
            log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

            # What has ended goes on in one way only, with padding, at no cost.
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
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: best_by_total | TRUE CAUSE: the best continuations are chosen by their log-probability instead of by their score, so the length penalty has no effect
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best beginnings of each translation and return the best that grows.

    Same form as greedy_decode, and the model's mode is taken care of as there. A beginning
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
        ended = total == minus_inf

        while ids.size(2) < max_len and not ended.all():
            rows = ids.flatten(0, 1)  # (N*B, length)
            tgt_mask = target_mask(rows, model.pad_id)
            decoded = model.decode(rows, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N*B, V)
            log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

            # What has ended goes on in one way only, with padding, at no cost.
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
            log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)

            totals = total.unsqueeze(2) + log_probs  # (N, B, V)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = totals.flatten(1).topk(beam_size).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: divided_by_beam | TRUE CAUSE: the place is divided by the beam size instead of the size of the vocabulary, so parents lie outside of the beam and gather raises
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best beginnings of each translation and return the best that grows.

    Same form as greedy_decode, and the model's mode is taken care of as there. A beginning
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
        ended = total == minus_inf

        while ids.size(2) < max_len and not ended.all():
            rows = ids.flatten(0, 1)  # (N*B, length)
            tgt_mask = target_mask(rows, model.pad_id)
            decoded = model.decode(rows, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N*B, V)
            log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

            # What has ended goes on in one way only, with padding, at no cost.
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
            log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)

            totals = total.unsqueeze(2) + log_probs  # (N, B, V)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // beam_size
            token = best % log_probs.size(-1)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: same_length_for_all | TRUE CAUSE: the penalty is computed from the length of the table of ids, so beginnings that have ended are given a length that still grows
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best beginnings of each translation and return the best that grows.

    Same form as greedy_decode, and the model's mode is taken care of as there. A beginning
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
        ended = total == minus_inf

        while ids.size(2) < max_len and not ended.all():
            rows = ids.flatten(0, 1)  # (N*B, length)
            tgt_mask = target_mask(rows, model.pad_id)
            decoded = model.decode(rows, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N*B, V)
            log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

            # What has ended goes on in one way only, with padding, at no cost.
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
            log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)

            totals = log_probs + total[..., None]  # (N, B, V)
            length = length + ~ended
            penalty = torch.full_like(total, (5 + ids.size(2)) / 6).pow(length_penalty)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = torch.topk(scores.reshape(batch, -1), beam_size)[1]  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = torch.div(best, log_probs.size(-1), rounding_mode="floor")
            token = best - parent * log_probs.size(-1)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: each_its_own | TRUE CAUSE: each beginning keeps its own best continuation, instead of all continuations of a beam competing with one another
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best beginnings of each translation and return the best that grows.

    Same form as greedy_decode, and the model's mode is taken care of as there. A beginning
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
        ended = total == minus_inf

        while ids.size(2) < max_len and not ended.all():
            rows = ids.flatten(0, 1)  # (N*B, length)
            tgt_mask = target_mask(rows, model.pad_id)
            decoded = model.decode(rows, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N*B, V)
            log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

            # What has ended goes on in one way only, with padding, at no cost.
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
            log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)

            totals = torch.add(log_probs, total[:, :, None])  # (N, B, V)
            length = length + ~ended
            penalty = torch.pow((length + 5.0) / 6.0, length_penalty)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.argmax(dim=2) + torch.arange(beam_size, device=src.device) * scores.size(2)  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best.div(scores.size(2), rounding_mode='trunc')
            token = best.remainder(scores.size(2))
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: memory_repeated | TRUE CAUSE: memory and its mask are repeated as a whole (repeat) instead of row by row (repeat_interleave), so with several sentences the beams look at the sources of others
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode = model.training
    model.eval()
    N, B, pad = src.size(0), beam_size, model.pad_id
    neg = float("-inf")
    with torch.no_grad():
        src_mask = padding_mask(src, pad)
        memory = model.encode(src, src_mask)
        memory = memory.repeat(B, 1, 1)
        src_mask = src_mask.repeat(B, 1, 1, 1)
        seqs = torch.full((N, B, 1), bos_id, dtype=src.dtype, device=src.device)
        logp = torch.full((N, B), neg, device=src.device)
        logp[:, 0] = 0
        size = torch.zeros(N, B, dtype=torch.long, device=src.device)
        done = logp.isinf()
        for _ in range(max_len - 1):
            if done.all():
                break
            flat = seqs.reshape(N * B, -1)
            h = model.decode(flat, memory, src_mask, target_mask(flat, pad))
            step = model.generator(h[:, -1]).reshape(N, B, -1)
            V = step.size(-1)
            only_pad = torch.full((V,), neg, device=src.device)
            only_pad[pad] = 0
            step = torch.where(done[..., None], only_pad, step)
            cand = logp[..., None] + step
            size = size + (~done).long()
            score = cand / (((5 + size) / 6) ** length_penalty)[..., None]
            idx = score.view(N, B * V).topk(B, dim=-1).indices
            who, what = idx // V, idx % V
            logp = cand.view(N, B * V).gather(1, idx)
            seqs = torch.stack([seqs[n, who[n]] for n in range(N)])
            seqs = torch.cat([seqs, what[..., None]], -1)
            size = size.gather(1, who)
            done = done.gather(1, who) | (what == eos_id)
    model.train(mode)
    return seqs[:, 0, : size[:, 0].max() + 1]

# %% wrong: score_carried_on | TRUE CAUSE: two mistakes: the penalized score is carried on as the beginning's log-probability, so the penalty is applied again at every step; and which beginnings have ended does not follow the new order
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        batch = src.size(0)
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
        src_mask = src_mask.repeat_interleave(beam_size, dim=0)
        ids = src.new_full((batch, beam_size, 1), bos_id)
        score = torch.zeros(batch, beam_size, device=src.device)
        score[:, 1:] = -math.inf
        length = src.new_zeros(batch, beam_size)
        ended = score.isinf()
        while ids.size(2) < max_len and not ended.all():
            rows = ids.flatten(0, 1)
            decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
            log_probs = model.generator(decoded[:, -1]).unflatten(0, (batch, beam_size))
            vocab = log_probs.size(-1)
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), -math.inf)
            log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty
            scores = (score.unsqueeze(2) + log_probs) / penalty.unsqueeze(2)
            score, best = scores.flatten(1).topk(beam_size)
            parent, token = best // vocab, best % vocab
            ids = torch.cat([ids.gather(1, parent.unsqueeze(2).expand_as(ids)), token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids[:, 0, : length[:, 0].max() + 1]
