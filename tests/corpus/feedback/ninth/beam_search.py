# %% wrong: penalty_power_on_six_only | TRUE CAUSE: the blank penalty is (5 + length) / 6**length_penalty: the power binds to the 6 alone, so the scores are divided by the length itself (far too strongly, and even with length_penalty=0)
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
            penalty = (5 + length) / 6**length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(-1)
            token = best % log_probs.size(-1)
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
# %% wrong: ended_keep_total_for_every_token | TRUE CAUSE: the blank totals gives an ended prefix its old total for every token, which undoes the minus infinity of the lines above, so all V tokens may follow an ended prefix at no cost; copies of it fill the beam and other tokens than padding come after eos
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

            totals = torch.where(ended.unsqueeze(2), total.unsqueeze(2), total.unsqueeze(2) + log_probs)  # (N, B, V)
            length = length + ~ended
            penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
            scores = totals / penalty.unsqueeze(2)

            # The best of all continuations of a beam: whose they are, and which token they add.
            best = scores.flatten(1).topk(beam_size, dim=1).indices  # (N, B)
            total = totals.flatten(1).gather(1, best)
            parent = best // log_probs.size(-1)
            token = best % log_probs.size(-1)
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
# %% wrong: own_prefixes_reordered_in_place | TRUE CAUSE: the loop writes the parents' rows into the same tensor that it reads from (ids, length and ended), so a prefix whose row has already been overwritten is copied in its new state, and the wrong prefix is continued whenever an earlier place of the beam is somebody's parent
@torch.no_grad()
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode = model.training
    model.eval()
    n, pad = len(src), model.pad_id
    src_mask = padding_mask(src, pad)
    memory = model.encode(src, src_mask).repeat_interleave(beam_size, 0)
    src_mask = src_mask.repeat_interleave(beam_size, 0)
    ids = src.new_full((n, beam_size, max_len), pad)
    ids[:, :, 0] = bos_id
    total = torch.full((n, beam_size), -math.inf, device=src.device)
    total[:, 0] = 0.0
    length = torch.zeros_like(ids[:, :, 0])
    ended = total.isinf()
    for t in range(1, max_len):
        if ended.all():
            break
        rows = ids[:, :, :t].reshape(n * beam_size, t)
        h = model.decode(rows, memory, src_mask, target_mask(rows, pad))
        logp = model.generator(h[:, -1])
        vocab = logp.size(-1)
        logp = logp.view(n, beam_size, vocab)
        free = torch.full((vocab,), -math.inf, device=src.device)
        free[pad] = 0.0
        logp = torch.where(ended[:, :, None], free, logp)
        totals = total[:, :, None] + logp
        length = length + (~ended).long()
        scores = totals / (((5 + length) / 6) ** length_penalty)[:, :, None]
        best = scores.view(n, -1).topk(beam_size).indices
        total = totals.view(n, -1).gather(1, best)
        for i in range(n):
            for b, place in enumerate(best[i].tolist()):
                whose, token = divmod(place, vocab)
                ids[i, b] = ids[i, whose]
                ids[i, b, t] = token
                length[i, b] = length[i, whose]
                ended[i, b] = ended[i, whose] | (token == eos_id)
    model.train(mode)
    return ids[:, 0, : int(length[:, 0].max()) + 1]
# %% wrong: own_length_counts_padding | TRUE CAUSE: the score takes len(tokens) - 1 as the length, but ended prefixes get padding appended to their lists, so their length keeps growing after eos and their penalty and score rise although the length of what has ended must not grow
@torch.no_grad()
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    pad = model.pad_id
    src_mask = padding_mask(src, pad)
    memory = model.encode(src, src_mask)
    memory = memory.repeat_interleave(beam_size, dim=0)
    src_mask = src_mask.repeat_interleave(beam_size, dim=0)

    # one beam per sentence; each prefix is (tokens, log-probability, has it ended?)
    beams = [
        [([bos_id], 0.0, False)] + [([bos_id], -math.inf, True)] * (beam_size - 1) for _ in src
    ]

    def score(prefix):
        tokens, total, _ = prefix
        size = len(tokens) - 1
        return total / ((5 + size) / 6) ** length_penalty

    for _ in range(max_len - 1):
        if all(done for beam in beams for _, _, done in beam):
            break
        rows = src.new_tensor([tokens for beam in beams for tokens, _, _ in beam])
        vectors = model.decode(rows, memory, src_mask, target_mask(rows, pad))
        said = model.generator(vectors[:, -1]).tolist()
        for i, beam in enumerate(beams):
            candidates = []
            for b, (tokens, total, done) in enumerate(beam):
                if done:
                    candidates.append((tokens + [pad], total, True))
                    continue
                for token, log_prob in enumerate(said[i * beam_size + b]):
                    candidates.append((tokens + [token], total + log_prob, token == eos_id))
            beams[i] = sorted(candidates, key=score, reverse=True)[:beam_size]
    model.train(was_training)
    winners = [beam[0][0] for beam in beams]
    longest = max(len([t for t in tokens if t != pad]) for tokens in winners)
    return src.new_tensor([tokens[:longest] for tokens in winners])
