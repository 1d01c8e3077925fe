# %% wrong: power_of_the_divisor_only | TRUE CAUSE: the brackets are set so that only the 6 is raised to the length penalty, and 5 + length is not
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
            penalty = (5 + length) / (5 + 1) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=-1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(-1)
            token = best % log_probs.size(-1)  # blank: next_token
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


# %% wrong: sorted_from_the_worst | TRUE CAUSE: argsort sorts upwards, so the first beam_size places are those of the worst continuations instead of the best
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
            best = scores.flatten(1).argsort(dim=1)[:, :beam_size]  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(-1)
            token = best % log_probs.size(-1)  # blank: next_token
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


# %% wrong: each_prefix_keeps_its_own_best | TRUE CAUSE: every prefix is continued with its own best token, so continuations of different prefixes do not compete, the dead ones never come alive, and it is greedy decoding
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
            parent = torch.arange(beam_size, device=src.device).expand(batch, -1)
            token = scores.argmax(dim=-1)  # (N, B)
            best = parent * scores.size(2) + token
            total = totals.flatten(1).gather(1, best)
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


# %% wrong: padding_counts_and_ended_stays_in_place | TRUE CAUSE: two mistakes: the penalty takes the length of the whole row for every prefix, so that of an ended one grows with its padding, and `ended` is not put into the new order of the prefixes
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
            penalty = torch.full_like(total, ((5 + ids.size(2)) / 6) ** length_penalty)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=-1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(-1)
            token = best % log_probs.size(-1)  # blank: next_token
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = F.pad(grown, (0, 1))  # one place longer
            ids[:, :, -1] = token
            length = length.gather(1, parent)
            ended[token == eos_id] = True
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
