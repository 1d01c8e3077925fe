# %% right: eleventh_own_hypotheses_as_tuples
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    pad = model.pad_id
    def score(hyp):
        _, log_p, size, _ = hyp
        return log_p / ((5 + size) / 6) ** length_penalty
    def continuations(hyp, log_probs):
        tokens, log_p, size, over = hyp
        if over:
            return [(tokens + [pad], log_p, size, True)]
        return [
            (tokens + [token], log_p + more, size + 1, token == eos_id)
            for token, more in enumerate(log_probs)
        ]
    was = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, pad)
        memory = model.encode(src, mask)
        memory = torch.repeat_interleave(memory, beam_size, 0)
        mask = torch.repeat_interleave(mask, beam_size, 0)
        start = [([bos_id], 0.0, 0, False)]
        start += [([bos_id], -math.inf, 0, True) for _ in range(beam_size - 1)]
        beams = [list(start) for _ in range(len(src))]
        for _ in range(max_len - 1):
            if all(hyp[3] for beam in beams for hyp in beam):
                break
            rows = src.new_tensor([hyp[0] for beam in beams for hyp in beam])
            decoded = model.decode(rows, memory, mask, target_mask(rows, pad))
            table = model.generator(decoded[:, -1]).tolist()
            for i, beam in enumerate(beams):
                grown = []
                for j, hyp in enumerate(beam):
                    grown += continuations(hyp, table[i * beam_size + j])
                beams[i] = sorted(grown, key=score, reverse=True)[:beam_size]
    model.train(was)
    best = [beam[0] for beam in beams]
    width = max(hyp[2] for hyp in best) + 1
    return src.new_tensor([hyp[0][:width] for hyp in best])
# %% right: tenth_own_buffer_and_indexing
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    mode, pad, K, N = model.training, model.pad_id, beam_size, len(src)
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, pad)
        enc = model.encode(src, mask)
        enc = enc[:, None].expand(-1, K, -1, -1).reshape(N * K, *enc.shape[1:])
        mask = mask[:, None].expand(-1, K, *mask.shape[1:]).reshape(N * K, *mask.shape[1:])
        hyps = torch.full((N, K, max_len), pad, dtype=src.dtype, device=src.device)
        hyps[..., 0] = bos_id
        logp = torch.full((N, K), -math.inf, device=src.device)
        logp[:, 0] = 0.0
        size = torch.zeros(N, K, dtype=torch.long, device=src.device)
        done = torch.isinf(logp)
        row = torch.arange(N, device=src.device)[:, None]
        t = 1
        while t < max_len and not done.all():
            ys = hyps[..., :t].reshape(N * K, t)
            out = model.decode(ys, enc, mask, target_mask(ys, pad))
            step = model.generator(out[:, -1]).reshape(N, K, -1)
            V = step.size(-1)
            only_pad = torch.full((V,), -math.inf, device=src.device)
            only_pad[pad] = 0.0
            step = torch.where(done[..., None], only_pad, step)
            size = size + (~done).long()
            sums = logp[..., None] + step
            ranks = sums / (((5.0 + size) / 6.0) ** length_penalty)[..., None]
            _, where = ranks.reshape(N, K * V).topk(K)
            who = torch.div(where, V, rounding_mode="floor")
            what = where - who * V
            logp = sums[row, who, what]
            hyps = hyps[row, who]
            hyps[..., t] = what
            size, done = size[row, who], done[row, who] | (what == eos_id)
            t += 1
    model.train(mode)
    return hyps[:, 0, : int(size[:, 0].max()) + 1]
# %% right: tenth_own_lists
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    def score(hyp):
        return hyp["log_p"] / ((5 + hyp["n"]) / 6) ** length_penalty
    def start(log_p, ended):
        return {"words": [bos_id], "log_p": log_p, "n": 0, "ended": ended}
    was_training = model.training
    model.eval()
    dead = [start(-math.inf, True)] * (beam_size - 1)
    beams = [[start(0.0, False)] + dead for _ in range(src.size(0))]
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        owner = [i for i in range(src.size(0)) for _ in range(beam_size)]
        memory, src_mask = memory[owner], src_mask[owner]
        for _ in range(max_len - 1):
            flat = [hyp for beam in beams for hyp in beam]
            if all(hyp["ended"] for hyp in flat):
                break
            ids = torch.tensor([hyp["words"] for hyp in flat], dtype=src.dtype, device=src.device)
            out = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            log_probs = model.generator(out[:, -1])
            top = log_probs.topk(min(beam_size, log_probs.size(-1)), dim=-1)
            found = [[] for _ in beams]
            for i, hyp, ps, ts in zip(owner, flat, top.values.tolist(), top.indices.tolist()):
                if hyp["ended"]:
                    found[i].append({**hyp, "words": hyp["words"] + [model.pad_id]})
                    continue
                for p, t in zip(ps, ts):
                    found[i].append(
                        {
                            "words": hyp["words"] + [t],
                            "log_p": hyp["log_p"] + p,
                            "n": hyp["n"] + 1,
                            "ended": t == eos_id,
                        }
                    )
            beams = [sorted(c, key=score, reverse=True)[:beam_size] for c in found]
    model.train(was_training)
    best = [beam[0] for beam in beams]
    width = 1 + max(hyp["n"] for hyp in best)
    rows = [hyp["words"][:width] for hyp in best]
    return torch.tensor(rows, dtype=src.dtype, device=src.device)
# %% right: twelfth_own_rows_by_index
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
            done = done.gather(1, who) | (what == eos_id)
            rows = torch.cat([rows[(first + who).flatten()], what.reshape(-1, 1)], dim=1)
    model.train(state)
    width = int(size[:, 0].max()) + 1
    return rows.view(n, k, -1)[:, 0, :width]
# %% right: fourteenth_own_lists_of_prefixes
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    def score(prefix):
        total, tokens, _ = prefix
        length = len(tokens) - 1  # without bos_id, with eos_id
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
                grown.sort(key=score, reverse=True)
                beams[sentence] = grown[:beam_size]
    model.train(mode)
    winners = [beam[0][1] for beam in beams]
    result = src.new_full((len(winners), max(map(len, winners))), model.pad_id)
    for row, tokens in enumerate(winners):
        result[row, : len(tokens)] = torch.tensor(tokens, dtype=src.dtype, device=src.device)
    return result
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
# %% right: field_heap_of_hypotheses_one_source_at_a_time
import heapq
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    training = model.training
    model.eval()
    def score(tokens, log_prob):
        length = len(tokens) - 1
        return log_prob / ((5 + length) / 6) ** length_penalty
    results = []
    with torch.no_grad():
        for sentence in src.split(1):
            src_mask = padding_mask(sentence, model.pad_id)
            memory = model.encode(sentence, src_mask)
            beam = [([bos_id], 0.0)]
            while len(beam[0][0]) < max_len or any(t[-1] != eos_id for t, _ in beam):
                live = [(t, s) for t, s in beam if t[-1] != eos_id and len(t) < max_len]
                if not live:
                    break
                candidates = [(t, s) for t, s in beam if t[-1] == eos_id]
                prefixes = torch.tensor([t for t, _ in live], device=src.device)
                out = model.decode(
                    prefixes,
                    memory.expand(len(live), -1, -1),
                    src_mask.expand(len(live), -1, -1, -1),
                    target_mask(prefixes, model.pad_id),
                )
                log_probs = model.generator(out[:, -1])
                for (tokens, total), row in zip(live, log_probs.tolist()):
                    for token, log_prob in enumerate(row):
                        candidates.append((tokens + [token], total + log_prob))
                beam = heapq.nlargest(beam_size, candidates, key=lambda c: score(*c))
            results.append(torch.tensor(max(beam, key=lambda c: score(*c))[0]))
    model.train(training)
    return nn.utils.rnn.pad_sequence(
        results, batch_first=True, padding_value=model.pad_id
    ).to(src.device)
# %% right: field_scores_masked_and_beams_reordered
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    training = model.training
    model.eval()
    with torch.inference_mode():
        bsz, device = src.size(0), src.device
        src_mask = padding_mask(src, model.pad_id)
        encoder_out = model.encode(src, src_mask)
        new_order = torch.arange(bsz, device=device).view(-1, 1).repeat(1, beam_size).view(-1)
        encoder_out = encoder_out.index_select(0, new_order)
        src_mask = src_mask.index_select(0, new_order)
        tokens = torch.full((bsz * beam_size, max_len), model.pad_id, device=device)
        tokens = tokens.long()
        tokens[:, 0] = bos_id
        scores = torch.full((bsz, beam_size), -math.inf, device=device)
        scores[:, 0] = 0
        lengths = torch.zeros(bsz, beam_size, dtype=torch.long, device=device)
        finished = torch.zeros(bsz, beam_size, dtype=torch.bool, device=device)
        bbsz_offsets = (torch.arange(bsz, device=device) * beam_size).unsqueeze(1)
        step = 1
        while step < max_len and not finished.all():
            prefix = tokens[:, :step]
            out = model.decode(prefix, encoder_out, src_mask, target_mask(prefix, model.pad_id))
            lprobs = model.generator(out[:, -1]).view(bsz, beam_size, -1)
            vocab = lprobs.size(-1)
            eos_row = torch.full((vocab,), -math.inf, device=device, dtype=lprobs.dtype)
            eos_row[model.pad_id] = 0
            lprobs = torch.where(finished.unsqueeze(-1), eos_row, lprobs)
            lengths = lengths + (~finished).long()
            cand = scores.unsqueeze(-1) + lprobs
            norm = ((5.0 + lengths) / 6.0).pow(length_penalty).unsqueeze(-1)
            _, top = (cand / norm).view(bsz, -1).topk(beam_size, dim=1)
            scores = cand.view(bsz, -1).gather(1, top)
            beams = torch.div(top, vocab, rounding_mode="floor")
            token = top.fmod(vocab)
            tokens = tokens.index_select(0, (beams + bbsz_offsets).view(-1))
            tokens[:, step] = token.view(-1)
            lengths = lengths.gather(1, beams)
            finished = finished.gather(1, beams) | token.eq(eos_id)
            step += 1
        best = tokens.view(bsz, beam_size, max_len)[:, 0]
        best = best[:, : int(lengths[:, 0].max()) + 1]
    model.train(training)
    return best.clone()
