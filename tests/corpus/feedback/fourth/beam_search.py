# %% wrong: history_forgotten | TRUE CAUSE: totals holds only the log-probabilities of the newest token, what the prefix had before is not added
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

            totals = log_probs  # (N, B, V)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)  # blank: next_token
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

# %% wrong: logarithms_multiplied | TRUE CAUSE: multiplies where log-probabilities have to be added, as if they were probabilities
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

            totals = total.unsqueeze(2) * log_probs  # (N, B, V)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)  # blank: next_token
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

# %% wrong: penalty_is_a_factor | TRUE CAUSE: length_penalty multiplies the fraction and is not its exponent
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
            token = best % log_probs.size(2)  # blank: next_token
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

# %% wrong: counts_the_new_token_twice | TRUE CAUSE: adds 1 to the length for the new token, which length has counted already (or for <bos>, which does not count)
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
            penalty = ((5 + length + 1) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)  # blank: next_token
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

# %% wrong: ranked_by_totals | TRUE CAUSE: the best are chosen by the plain totals, so the length penalty has no effect
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
            best = totals.flatten(1).topk(beam_size, dim=-1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)  # blank: next_token
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

# %% wrong: parent_and_token_exchanged | TRUE CAUSE: the row is read as if it ran through all prefixes for one token after the other: the rest by beam_size is taken for the prefix and the quotient for the token
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
            total = totals.flatten(1).gather(1, best)
            parent = best % beam_size
            token = best // beam_size  # blank: next_token
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

# %% wrong: divided_by_the_beam | TRUE CAUSE: divides the places by beam_size, the number of prefixes, where a row of continuations is as long as the vocabulary
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
            total = totals.flatten(1).gather(1, best)
            parent = best // beam_size
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

# %% wrong: each_prefix_by_itself | TRUE CAUSE: each prefix is continued with its own likeliest token: the continuations do not compete over the prefixes of a beam
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
            vocab = log_probs.size(2)
            first = torch.arange(beam_size, device=src.device) * vocab
            best = scores.argmax(dim=-1) + first  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)  # blank: next_token
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

# %% wrong: score_kept_as_total | TRUE CAUSE: the penalized score is kept as the total, so the penalty is applied again at every step
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
            total, best = scores.flatten(1).topk(beam_size, dim=1)  # (N, B) each
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)  # blank: next_token
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

# %% wrong: lengths_stay_behind | TRUE CAUSE: two mistakes: the lengths are not put in the new order with their prefixes, and the exponent is negative, so longer ones are punished
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
            penalty = ((5 + length) / 6) ** (-length_penalty)  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(2)
            token = best % log_probs.size(2)  # blank: next_token
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = F.pad(grown, (0, 1))  # one place longer
            ids[:, :, -1] = token
            ended = ended.gather(1, parent)
            ended[token == eos_id] = True
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
