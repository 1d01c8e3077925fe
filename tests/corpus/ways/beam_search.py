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
