# %% wrong: parent_and_token_mixed_up | TRUE CAUSE: parent and token are mixed up: the remainder by V is taken for the prefix and the quotient for the token
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
            parent = best % log_probs.size(-1)
            token = best // log_probs.size(-1)  # blank: next_token
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


# %% wrong: penalty_of_the_step | TRUE CAUSE: the penalty is made from the length of the rows, the same for all prefixes, instead of each one's own length, so what has ended seems to grow on and the penalty makes no difference
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


# %% wrong: ended_does_not_follow | TRUE CAUSE: ended is not reordered with the prefixes: it stays with the place in the beam instead of following the parent
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
            vocab = log_probs.size(2)
            parent = torch.div(best, vocab, rounding_mode="floor")
            token = best - parent * vocab
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended | (token == eos_id)
    model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
