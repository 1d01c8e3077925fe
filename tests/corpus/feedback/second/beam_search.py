# %% wrong: best_by_total | TRUE CAUSE: The best continuations are chosen by their plain log-probabilities (totals), not by their scores, so the length penalty has no effect.
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

# %% wrong: penalty_fixed | TRUE CAUSE: The exponent of the length penalty is fixed at 0.6, so the argument length_penalty is ignored.
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

            totals = log_probs + total[:, :, None]  # (N, B, V)
            length = length + ~ended
            penalty = torch.pow((length + 5) / 6, 0.6)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.reshape(batch, -1).topk(beam_size, dim=1)[1]  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = torch.div(best, log_probs.size(-1), rounding_mode="floor")
            token = best.remainder(log_probs.size(-1))
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: places_divided_by_beam | TRUE CAUSE: Places are divided by beam_size instead of by the size of the vocabulary, so parents point outside of the beam (crash) and tokens are wrong.
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

            totals = total.unsqueeze(-1).add(log_probs)  # (N, B, V)
            length = length + ~ended
            penalty = ((length + 5.0) / 6.0).pow(length_penalty)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.view(batch, -1).topk(beam_size).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = torch.div(best, beam_size, rounding_mode="trunc")
            token = best % beam_size
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: length_counts_bos | TRUE CAUSE: The length in the penalty is that of the whole row, so it counts <bos> as well and is larger by one.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Beam search, one sentence at a time, with plain lists."""
    was_training = model.training
    model.eval()

    def score(one):
        tokens, total, _ = one
        return total / ((5 + len(tokens)) / 6) ** length_penalty

    results = []
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        for n in range(src.size(0)):
            beam = [([bos_id], 0.0, False)]  # tokens, log-probability, ended
            while any(not ended for _, _, ended in beam):
                going = [one for one in beam if not one[2]]
                if len(going[0][0]) >= max_len:
                    break
                rows = torch.tensor([tokens for tokens, _, _ in going], dtype=src.dtype, device=src.device)
                many = len(going)
                decoded = model.decode(
                    rows,
                    memory[n : n + 1].expand(many, -1, -1),
                    src_mask[n : n + 1].expand(many, -1, -1, -1),
                    target_mask(rows, model.pad_id),
                )
                log_probs = model.generator(decoded[:, -1])
                candidates = [one for one in beam if one[2]]
                for (tokens, total, _), row in zip(going, log_probs):
                    values, indices = row.topk(min(beam_size, row.numel()))
                    for value, index in zip(values.tolist(), indices.tolist()):
                        candidates.append((tokens + [index], total + value, index == eos_id))
                beam = sorted(candidates, key=score, reverse=True)[:beam_size]
            results.append(beam[0][0])
    model.train(was_training)
    longest = max(len(tokens) for tokens in results)
    ids = src.new_full((len(results), longest), model.pad_id)
    for row, tokens in zip(ids, results):
        row[: len(tokens)] = torch.tensor(tokens, dtype=src.dtype, device=src.device)
    return ids
