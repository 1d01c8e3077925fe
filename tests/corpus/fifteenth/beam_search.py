# %% wrong: divides-by-beam-size | The place in the row of all continuations is taken apart with beam_size instead of the size of the vocabulary, so parent and token are wrong (or parent is out of range).
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            ended = total == minus_inf
            for _ in range(1, max_len):
                if ended.all():
                    break
                rows = ids.flatten(0, 1)
                tgt_mask = target_mask(rows, model.pad_id)
                decoded = model.decode(rows, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                log_probs = log_probs.unflatten(0, (batch, beam_size))
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = total.unsqueeze(2) + log_probs
                length = length + ~ended
                penalty = ((5 + length) / 6) ** length_penalty
                scores = totals / penalty.unsqueeze(2)
                best = scores.flatten(1).topk(beam_size).indices
                total = totals.flatten(1).gather(1, best)
                parent = best // beam_size
                token = best % beam_size
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = F.pad(grown, (0, 1))
                ids[:, :, -1] = token
                length = length.gather(1, parent)
                ended = ended.gather(1, parent)
                ended[token == eos_id] = True
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]
    return ids

# %% wrong: penalized-score-carried-on | What is carried to the next step is the score that has already been divided by the length penalty, not the log-probability: the sum is divided again at every step, and early tokens count for less and less.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            n, dev = src.size(0), src.device
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(beam_size, 0)
            src_mask = src_mask.repeat_interleave(beam_size, 0)
            beams = src.new_full((n, beam_size, 1), bos_id)
            beam_scores = torch.full((n, beam_size), -float("inf"), device=dev)
            beam_scores[:, 0] = 0.0
            lengths = src.new_zeros(n, beam_size)
            done = torch.isinf(beam_scores)
            while beams.size(2) < max_len and not done.all():
                rows = beams.reshape(n * beam_size, -1)
                out = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                lp = model.generator(out[:, -1]).reshape(n, beam_size, -1)
                vocab = lp.size(-1)
                only_pad = torch.full_like(lp, -float("inf"))
                only_pad[..., model.pad_id] = 0.0
                lp = torch.where(done[..., None], only_pad, lp)
                lengths = lengths + (~done).long()
                lp_factor = ((5.0 + lengths) / 6.0) ** length_penalty
                candidates = (beam_scores[..., None] + lp) / lp_factor[..., None]
                beam_scores, idx = candidates.reshape(n, -1).topk(beam_size, dim=-1)
                origin = torch.div(idx, vocab, rounding_mode="floor")
                word = idx.remainder(vocab)
                beams = torch.gather(beams, 1, origin[..., None].expand(-1, -1, beams.size(2)))
                beams = torch.cat([beams, word[..., None]], dim=2)
                lengths = lengths.gather(1, origin)
                done = done.gather(1, origin) | (word == eos_id)
    finally:
        model.train(was_training)
    return beams[:, 0, : lengths[:, 0].max() + 1]

# %% wrong: length-to-the-power | The penalty is length ** length_penalty, as in Hugging Face's transformers, and not that of Wu et al., ((5 + length) / 6) ** length_penalty: longer prefixes are favoured far too much.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch_size, num_beams = src.shape[0], beam_size
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat_interleave(num_beams, dim=0)
            src_mask = src_mask.repeat_interleave(num_beams, dim=0)
            input_ids = src.new_full((batch_size * num_beams, 1), bos_id)
            beam_scores = torch.zeros(batch_size, num_beams, device=src.device)
            beam_scores[:, 1:] = float("-inf")
            sent_lengths = src.new_zeros(batch_size, num_beams)
            is_done = beam_scores.isinf()
            offset = torch.arange(batch_size, device=src.device)[:, None] * num_beams
            while input_ids.shape[1] < max_len and not is_done.all():
                hidden = model.decode(
                    input_ids, memory, src_mask, target_mask(input_ids, model.pad_id)
                )
                next_token_scores = model.generator(hidden[:, -1]).clone()
                vocab_size = next_token_scores.shape[-1]
                finished = is_done.view(-1)
                next_token_scores[finished] = float("-inf")
                next_token_scores[finished, model.pad_id] = 0.0
                sums = next_token_scores.view(batch_size, num_beams, -1) + beam_scores[..., None]
                sent_lengths = sent_lengths + ~is_done
                ranked = sums / (sent_lengths**length_penalty).clamp(min=1e-9)[..., None]
                next_tokens = ranked.view(batch_size, -1).topk(num_beams, dim=1).indices
                beam_scores = sums.view(batch_size, -1).gather(1, next_tokens)
                next_indices = next_tokens // vocab_size
                next_tokens = next_tokens % vocab_size
                beam_idx = (offset + next_indices).view(-1)
                input_ids = torch.cat([input_ids[beam_idx], next_tokens.view(-1, 1)], dim=-1)
                sent_lengths = sent_lengths.gather(1, next_indices)
                is_done = is_done.gather(1, next_indices) | (next_tokens == eos_id)
    finally:
        model.train(was_training)
    best = input_ids.view(batch_size, num_beams, -1)[:, 0]
    return best[:, : sent_lengths[:, 0].max() + 1]

# %% wrong: ended-grow-longer | The penalty is computed from the present number of columns for all prefixes alike, so the length of an ended prefix goes on growing with its padding: its score rises at each step although its length should stay.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            ended = total == minus_inf
            for _ in range(1, max_len):
                if ended.all():
                    break
                rows = ids.flatten(0, 1)
                tgt_mask = target_mask(rows, model.pad_id)
                decoded = model.decode(rows, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                log_probs = log_probs.unflatten(0, (batch, beam_size))
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = total.unsqueeze(2) + log_probs
                length = length + ~ended
                penalty = torch.full_like(total, ((5 + ids.size(2)) / 6) ** length_penalty)
                scores = totals / penalty.unsqueeze(2)
                best = scores.flatten(1).topk(beam_size, dim=1).indices
                total = totals.flatten(1).gather(1, best)
                parent = best // totals.size(2)
                token = best % totals.size(2)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = F.pad(grown, (0, 1))
                ids[:, :, -1] = token
                length = length.gather(1, parent)
                ended = ended.gather(1, parent)
                ended[token == eos_id] = True
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]
    return ids

# %% wrong: first-finished-wins | Searches sentence by sentence with lists, and returns the first hypothesis that reaches eos, at once: the others in the beam, which may reach a better score later, never compete with it.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    def penalty(n):
        return ((5 + n) / 6) ** length_penalty
    def one(memory, mask):
        beam = [([bos_id], 0.0)]
        while len(beam[0][0]) < max_len:
            rows = torch.tensor([ids for ids, _ in beam], device=src.device)
            out = model.decode(
                rows,
                memory.expand(len(beam), -1, -1),
                mask.expand(len(beam), -1, -1, -1),
                target_mask(rows, model.pad_id),
            )
            log_probs = model.generator(out[:, -1])
            candidates = []
            for (ids, total), row in zip(beam, log_probs):
                values, tokens = row.topk(min(beam_size, row.numel()))
                for value, token in zip(values.tolist(), tokens.tolist()):
                    candidates.append((ids + [token], total + value))
            candidates.sort(key=lambda c: c[1] / penalty(len(c[0]) - 1), reverse=True)
            beam = candidates[:beam_size]
            for ids, _ in beam:
                if ids[-1] == eos_id:
                    return ids
        return beam[0][0]
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            found = [
                one(memory[i : i + 1], src_mask[i : i + 1]) for i in range(src.size(0))
            ]
    finally:
        model.train(was_training)
    longest = max(len(ids) for ids in found)
    padded = [ids + [model.pad_id] * (longest - len(ids)) for ids in found]
    return torch.tensor(padded, dtype=src.dtype, device=src.device)

# %% wrong: memory-tiled | memory and its mask are copied with repeat (0 1 2 0 1 2 ...) instead of repeat_interleave (0 0 1 1 ...), while the rows of ids are ordered sentence by sentence: in a batch of several sentences, prefixes look at the memory of another sentence.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, device = src.size(0), src.device
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat(beam_size, 1, 1)
            src_mask = src_mask.repeat(beam_size, 1, 1, 1)
            sequences = src.new_full((batch, beam_size, 1), bos_id)
            log_p = torch.zeros(batch, beam_size, device=device)
            log_p[:, 1:] = -math.inf
            n_tokens = src.new_zeros(batch, beam_size)
            over = log_p == -math.inf
            while sequences.size(2) < max_len and not over.all():
                flat = sequences.flatten(0, 1)
                h = model.decode(flat, memory, src_mask, target_mask(flat, model.pad_id))
                step = model.generator(h[:, -1]).view(batch, beam_size, -1)
                step = step.masked_fill(over[..., None], -math.inf)
                step[..., model.pad_id] = step[..., model.pad_id].masked_fill(over, 0.0)
                candidates = log_p[..., None] + step
                n_tokens = n_tokens + (~over).to(n_tokens.dtype)
                lp = ((5 + n_tokens) / 6).pow(length_penalty)
                _, where = (candidates / lp[..., None]).flatten(1).topk(beam_size)
                log_p = candidates.flatten(1).gather(1, where)
                whose, word = where // step.size(-1), where % step.size(-1)
                sequences = sequences.gather(1, whose[..., None].expand_as(sequences))
                sequences = torch.cat([sequences, word[..., None]], dim=2)
                n_tokens = n_tokens.gather(1, whose)
                over = over.gather(1, whose) | (word == eos_id)
    finally:
        model.train(was_training)
    return sequences[:, 0, : n_tokens[:, 0].max() + 1]

# %% wrong: all-beams-start-alike | All beam_size prefixes begin with a total of 0 and all of them grow: at the first step they are copies of one another, so the beam is filled with copies of the greedy translation and finds nothing better than greedy decoding.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            N, K = src.size(0), beam_size
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(K, dim=0)
            src_mask = src_mask.repeat_interleave(K, dim=0)
            y = src.new_full((N, K, 1), bos_id)
            cum = torch.zeros(N, K, device=src.device)
            size = src.new_zeros(N, K)
            stop = torch.zeros(N, K, dtype=torch.bool, device=src.device)
            for _ in range(max_len - 1):
                if stop.all():
                    break
                flat = y.view(N * K, -1)
                h = model.decode(flat, memory, src_mask, target_mask(flat, model.pad_id))
                lp = model.generator(h[:, -1]).view(N, K, -1)
                V = lp.size(-1)
                lp = lp.masked_fill(stop.unsqueeze(-1), float("-inf"))
                lp[:, :, model.pad_id].masked_fill_(stop, 0.0)
                new = cum.unsqueeze(-1) + lp
                size = size + (~stop).long()
                ranked = new / (((5 + size) / 6) ** length_penalty).unsqueeze(-1)
                top = ranked.view(N, K * V).topk(K, dim=-1).indices
                cum = new.view(N, K * V).gather(1, top)
                back, word = top // V, top % V
                y = torch.cat([y.gather(1, back.unsqueeze(-1).expand_as(y)), word.unsqueeze(-1)], -1)
                size = size.gather(1, back)
                stop = stop.gather(1, back) | word.eq(eos_id)
    finally:
        model.train(was_training)
    return y[:, 0, : size[:, 0].max() + 1]

# %% right: lists-of-hypotheses
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    def score(hypothesis):
        tokens, total, _ = hypothesis
        return total / ((5 + len(tokens) - 1) / 6) ** length_penalty
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            beams = [[([bos_id], 0.0, False)] for _ in range(src.size(0))]
            for _ in range(max_len - 1):
                growing = [(n, h) for n, beam in enumerate(beams) for h in beam if not h[2]]
                if not growing:
                    break
                whose = torch.tensor([n for n, _ in growing], device=src.device)
                rows = torch.tensor([h[0] for _, h in growing], device=src.device)
                decoded = model.decode(
                    rows, memory[whose], src_mask[whose], target_mask(rows, model.pad_id)
                )
                log_probs = model.generator(decoded[:, -1])
                values, tokens = log_probs.topk(min(beam_size, log_probs.size(1)))
                candidates = [[h for h in beam if h[2]] for beam in beams]
                for (n, (ids, total, _)), some, which in zip(
                    growing, values.tolist(), tokens.tolist()
                ):
                    for value, token in zip(some, which):
                        candidates[n].append((ids + [token], total + value, token == eos_id))
                beams = [sorted(c, key=score, reverse=True)[:beam_size] for c in candidates]
            found = [max(beam, key=score)[0] for beam in beams]
    finally:
        model.train(was_training)
    longest = max(map(len, found))
    ids = src.new_full((len(found), longest), model.pad_id)
    for row, tokens in zip(ids, found):
        row[: len(tokens)] = torch.tensor(tokens, device=src.device)
    return ids

# %% right: flat-rows-and-beam-idx
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch_size = src.shape[0]
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            expand = torch.arange(batch_size, device=src.device).repeat_interleave(beam_size)
            memory, src_mask = memory[expand], src_mask[expand]
            input_ids = src.new_full((batch_size * beam_size, 1), bos_id)
            beam_scores = torch.full((batch_size, beam_size), -math.inf, device=src.device)
            beam_scores[:, 0] = 0.0
            beam_scores = beam_scores.view(-1)
            is_done = beam_scores == -math.inf
            lengths = torch.zeros_like(beam_scores)
            while input_ids.shape[1] < max_len and not is_done.all():
                hidden = model.decode(
                    input_ids, memory, src_mask, target_mask(input_ids, model.pad_id)
                )
                scores = model.generator(hidden[:, -1]).clone()
                vocab_size = scores.shape[1]
                scores[is_done] = -math.inf
                scores[is_done, model.pad_id] = 0.0
                sums = beam_scores[:, None] + scores
                lengths = torch.where(is_done, lengths, lengths + 1)
                ranked = sums / (((5 + lengths) / 6) ** length_penalty)[:, None]
                ranked = ranked.view(batch_size, beam_size * vocab_size)
                places = ranked.topk(beam_size, dim=1, largest=True, sorted=True).indices
                first = torch.arange(batch_size, device=src.device)[:, None] * beam_size
                beam_idx = (first + places // vocab_size).view(-1)
                next_tokens = (places % vocab_size).view(-1)
                beam_scores = sums[beam_idx, next_tokens]
                input_ids = torch.cat([input_ids[beam_idx], next_tokens[:, None]], dim=1)
                lengths = lengths[beam_idx]
                is_done = is_done[beam_idx] | (next_tokens == eos_id)
    finally:
        model.train(mode)
    best = input_ids[::beam_size]
    longest = int(lengths[::beam_size].max())
    return best[:, : longest + 1]
