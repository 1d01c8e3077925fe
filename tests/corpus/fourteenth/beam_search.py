# %% wrong: ranked_without_penalty | The best continuations are taken by totals, the plain log-probabilities, and not by scores. The length penalty is computed but decides nothing.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
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
# %% wrong: penalty_without_brackets | The divisor (5 + 1) lost its brackets: ((5 + length) / 5 + 1) is another number than (5 + length) / 6, so prefixes of different lengths are ranked wrongly.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
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
            penalty = ((5 + length) / 5 + 1) ** length_penalty  # (N, B)
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
# %% wrong: own_unfinished_cannot_win | In the end only prefixes that have ended may win, if there is one in the beam. At max_len what has not ended competes as it is, and may have the better score.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode = model.training
    model.eval()
    with torch.no_grad():
        n, device = src.size(0), src.device
        hidden = padding_mask(src, model.pad_id)
        memory = model.encode(src, hidden)
        owner = torch.arange(n, device=device).repeat_interleave(beam_size)  # (N*B,)
        memory, hidden = memory[owner], hidden[owner]
        rows = src.new_full((n * beam_size, 1), bos_id)
        total = torch.full((n, beam_size), -math.inf, device=device)
        total[:, 0] = 0.0
        score = total.clone()
        length = torch.zeros(n * beam_size, dtype=torch.long, device=device)
        done = total.flatten() == -math.inf  # the dead
        for _ in range(max_len - 1):
            if bool(done.all()):
                break
            decoded = model.decode(rows, memory, hidden, target_mask(rows, model.pad_id))
            gains = model.generator(decoded[:, -1])  # (N*B, V)
            vocab = gains.size(-1)
            free = torch.full_like(gains, -math.inf)
            free[:, model.pad_id] = 0.0
            gains = torch.where(done[:, None], free, gains)
            length = length + (~done).long()
            sums = total.reshape(-1, 1) + gains
            scores = sums / (((5 + length) / 6) ** length_penalty)[:, None]
            score, places = scores.view(n, -1).topk(beam_size, dim=1)
            total = sums.view(n, -1).gather(1, places)
            first = beam_size * torch.arange(n, device=device).unsqueeze(1)
            parents = (first + places // vocab).flatten()
            tokens = (places % vocab).flatten().to(src.dtype)
            rows = torch.cat([rows[parents], tokens[:, None]], dim=1)
            length = length[parents]
            done = done[parents] | (tokens == eos_id)
        # Only a complete translation can win.
        complete = done.view(n, beam_size) & (total > -math.inf)
        some = complete.any(dim=1, keepdim=True)
        score = score.masked_fill(some & ~complete, -math.inf)
        winner = score.argmax(dim=1)
        pick = torch.arange(n, device=device) * beam_size + winner
        result = rows[pick, : int(length[pick].max()) + 1]
    model.train(mode)
    return result
# %% wrong: own_ended_grow_in_length | The length penalty takes the number of steps so far as the length of every prefix. What has ended does not grow any longer: its length is the number of its own tokens, up to eos.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    def score(prefix, steps):
        total, tokens, _ = prefix
        length = steps  # tokens written so far
        return total / ((5 + length) / 6) ** length_penalty
    mode = model.training
    model.train(False)
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
        src_mask = src_mask.repeat_interleave(beam_size, dim=0)
        # A prefix is its log-probability, its tokens (without padding after eos), has it ended?
        start, dead = (0.0, [bos_id], False), (-math.inf, [bos_id], True)
        beams = [[start] + [dead] * (beam_size - 1) for _ in range(src.size(0))]
        for width in range(1, max_len):
            everyone = [prefix for beam in beams for prefix in beam]
            if all(ended for _, _, ended in everyone):
                break
            rows = [
                tokens + [model.pad_id] * (width - len(tokens)) for _, tokens, _ in everyone
            ]
            rows = torch.tensor(rows, dtype=src.dtype, device=src.device)
            decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
            log_probs = model.generator(decoded[:, -1])
            best = log_probs.topk(min(beam_size, log_probs.size(1)), dim=1)
            values, choices = best.values.tolist(), best.indices.tolist()
            for sentence, beam in enumerate(beams):
                grown = []
                for place, prefix in enumerate(beam):
                    total, tokens, ended = prefix
                    if ended:
                        grown.append(prefix)
                        continue
                    row = sentence * beam_size + place
                    for value, token in zip(values[row], choices[row], strict=True):
                        grown.append((total + value, [*tokens, token], token == eos_id))
                grown.sort(key=lambda prefix: score(prefix, width), reverse=True)
                beams[sentence] = grown[:beam_size]
    model.train(mode)
    winners = [beam[0][1] for beam in beams]
    result = src.new_full((len(winners), max(map(len, winners))), model.pad_id)
    for row, tokens in enumerate(winners):
        result[row, : len(tokens)] = torch.tensor(tokens, dtype=src.dtype, device=src.device)
    return result
