# %% wrong: hugging-face-length-power | The total is divided by length ** length_penalty, the formula of Hugging Face's generate, instead of ((5 + length) / 6) ** length_penalty, Eq. 14 of Wu et al., which the docstring asks for. Short prefixes are punished much harder, so other continuations are kept.
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
                totals = log_probs + total.unsqueeze(2)
                length = length + ~ended
                penalty = length.clamp(min=1).float() ** length_penalty
                scores = totals / penalty.unsqueeze(2)
                vocab_size = scores.size(-1)
                best = scores.view(batch, beam_size * vocab_size).topk(beam_size, dim=1).indices
                total = totals.flatten(1).gather(1, best)
                parent = torch.div(best, vocab_size, rounding_mode="floor")
                token = best % vocab_size
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

# %% wrong: fairseq-penalty-at-the-end | During the search the continuations are ranked by their totals, and the length penalty is only applied to what is left in the beam at the end. A longer prefix with the better score has been dropped by then. A prefix scores its log-probability divided by the penalty, and the best of all continuations are those with the best scores.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            bsz, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            encoder_outs = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            tokens = src.new_full((bsz, beam_size, 1), bos_id)
            cumulative = torch.zeros(bsz, beam_size, device=src.device)
            cumulative[:, 1:] = minus_inf
            lengths = src.new_zeros(bsz, beam_size)
            finished = cumulative == minus_inf
            for _ in range(1, max_len):
                if finished.all():
                    break
                rows = tokens.flatten(0, 1)
                decoded = model.decode(
                    rows, encoder_outs, src_mask, target_mask(rows, model.pad_id)
                )
                lprobs = model.generator(decoded[:, -1]).unflatten(0, (bsz, beam_size))
                lprobs = lprobs.masked_fill(finished.unsqueeze(2), minus_inf)
                lprobs[:, :, model.pad_id].masked_fill_(finished, 0.0)
                lengths = lengths + ~finished
                vocab = lprobs.size(2)
                candidates = (lprobs + cumulative.unsqueeze(2)).flatten(1)
                cumulative, place = candidates.topk(beam_size, dim=1)
                beam, token = place // vocab, place % vocab
                grown = tokens.gather(1, beam.unsqueeze(2).expand_as(tokens))
                tokens = torch.cat([grown, token.unsqueeze(2)], dim=2)
                lengths = lengths.gather(1, beam)
                finished = finished.gather(1, beam) | (token == eos_id)
            normalized = cumulative / ((5 + lengths) / 6) ** length_penalty
            best = normalized.argmax(dim=1)
    finally:
        model.train(was_training)
    every = torch.arange(bsz, device=src.device)
    longest = lengths[every, best].max()
    return tokens[every, best, : longest + 1]

# %% wrong: memory-tiled | The memory and its mask are repeated as whole batches (sentence 0, 1, 2, then 0, 1, 2 again) instead of row by row (0, 0, 1, 1). The prefixes lie sentence by sentence in the batch of N * B rows, so with more than one sentence most prefixes read another sentence's source ("memory.repeat_interleave").
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            def for_each_prefix(tensor):
                many = tensor.unsqueeze(0).expand(beam_size, *tensor.shape)
                return many.reshape(beam_size * batch, *tensor.shape[1:])
            src_mask = padding_mask(src, model.pad_id)
            memory = for_each_prefix(model.encode(src, src_mask))
            src_mask = for_each_prefix(src_mask)
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
                log_probs = model.generator(decoded[:, -1]).view(batch, beam_size, -1)
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = log_probs + total[:, :, None]
                length = length + ~ended
                penalty = ((5 + length) / 6).pow(length_penalty)
                scores = totals / penalty.unsqueeze(2)
                best = scores.flatten(1).topk(beam_size, dim=-1).indices
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

# %% wrong: places-read-in-the-other-layout | All continuations are put into one row token by token (for each token the B prefixes), but the places are read as if they stood prefix by prefix: with V = 10, place 37 is taken for token 7 after prefix 3. So the wrong prefixes are continued with the wrong tokens, while the totals are those of the right places.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
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
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).unflatten(0, (batch, beam_size))
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = (log_probs + total.unsqueeze(2)).transpose(1, 2)
                length = length + ~ended
                penalty = ((5 + length) / 6) ** length_penalty
                scores = totals / penalty.unsqueeze(1)
                size = totals.size(1)
                best = scores.flatten(1).topk(beam_size).indices
                total = totals.flatten(1).gather(1, best)
                parent, token = best // size, best % size
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent) | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% wrong: penalty-of-the-step | The penalty is computed from the number of the step, one for all prefixes, instead of from each prefix's own length. The prefixes of one step then all have the same divisor, so the penalty never changes their order: what has ended earlier is compared as if it were as long as the others ("its length no longer grows").
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            ended = total == minus_inf
            every = torch.arange(batch, device=src.device).unsqueeze(1)
            step = 0
            while step < max_len - 1 and not ended.all():
                step += 1
                rows = ids.flatten(0, 1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).unflatten(0, (batch, beam_size))
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = (log_probs + total.unsqueeze(2)).flatten(1)
                length = length + ~ended
                scores = totals / ((5 + step) / 6) ** length_penalty
                best = scores.topk(beam_size, dim=1).indices
                total = totals[every, best]
                parent = best // log_probs.size(2)
                token = best % log_probs.size(2)
                ids = torch.cat([ids[every, parent], token.unsqueeze(2)], dim=2)
                length = length[every, parent]
                ended = ended[every, parent] | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% wrong: finished-leave-the-beam | A translation that has ended leaves the beam and is set aside, as in Hugging Face's BeamHypotheses with early stopping, and a sentence is over as soon as beam_size of them have been collected. By the text a translation that has ended stays in the beam and is compared with all others; here the places that it would take go to unlikely prefixes, and longer ones with a better score may never be finished.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    def score(hypothesis):
        total, tokens = hypothesis
        return total / ((5 + len(tokens) - 1) / 6) ** length_penalty
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            beams = [[(0.0, [bos_id])] for _ in range(src.size(0))]
            hypotheses = [[] for _ in beams]
            for _ in range(1, max_len):
                prefixes = [(n, *prefix) for n, beam in enumerate(beams) for prefix in beam]
                if not prefixes:
                    break
                whose = torch.tensor([n for n, _, _ in prefixes], device=src.device)
                ids = src.new_tensor([tokens for _, _, tokens in prefixes])
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory[whose], src_mask[whose], tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                values, tokens_of = log_probs.topk(min(beam_size, log_probs.size(1)))
                grown = [[] for _ in beams]
                for row, (n, total, tokens) in enumerate(prefixes):
                    for value, token in zip(values[row].tolist(), tokens_of[row].tolist()):
                        grown[n].append((total + value, tokens + [token]))
                for n, candidates in enumerate(grown):
                    best = sorted(candidates, key=score, reverse=True)[:beam_size]
                    hypotheses[n] += [one for one in best if one[1][-1] == eos_id]
                    beams[n] = [one for one in best if one[1][-1] != eos_id]
                    if len(hypotheses[n]) >= beam_size:
                        beams[n] = []
    finally:
        model.train(was_training)
    found = [max(done + left, key=score)[1] for done, left in zip(hypotheses, beams)]
    longest = max(len(tokens) for tokens in found)
    return src.new_tensor([row + [model.pad_id] * (longest - len(row)) for row in found])

# %% wrong: two-copies-and-stale-lengths | Two mistakes. All prefixes begin with a total of 0, so after the first step the beam is full of copies of the likeliest one and finds little more than greedy decoding; only prefix 0 may grow at first. And the lengths are not reordered by parent, so once prefixes swap rows, their scores are divided by the penalty of another one.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            length = src.new_zeros(batch, beam_size)
            ended = torch.zeros_like(length, dtype=torch.bool)
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
                totals = log_probs + total.unsqueeze(2)
                length = length + ~ended
                penalty = ((5 + length) / 6) ** length_penalty
                scores = totals / penalty.unsqueeze(2)
                best = scores.flatten(1).topk(beam_size, dim=1).indices
                total = totals.flatten(1).gather(1, best)
                parent = best // totals.size(2)
                token = best % totals.size(2)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = F.pad(grown, (0, 1))
                ids[:, :, -1] = token
                ended = ended.gather(1, parent)
                ended[token == eos_id] = True
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]
    return ids

# %% right: fairseq-flat-rows
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            bsz, device = src.size(0), src.device
            src_mask = padding_mask(src, model.pad_id)
            encoder_out = model.encode(src, src_mask)
            source_of = torch.arange(bsz, device=device).repeat_interleave(beam_size)
            encoder_out = encoder_out.index_select(0, source_of)
            src_mask = src_mask.index_select(0, source_of)
            bbsz_offsets = (torch.arange(bsz, device=device) * beam_size).unsqueeze(1)
            tokens = src.new_full((bsz * beam_size, 1), bos_id)
            total = torch.full((bsz, beam_size), -math.inf, device=device)
            total[:, 0] = 0.0
            total = total.flatten()
            lengths = torch.zeros_like(tokens[:, 0])
            finished = total.isinf()
            while tokens.size(1) < max_len and not bool(finished.all()):
                features = model.decode(
                    tokens, encoder_out, src_mask, target_mask(tokens, model.pad_id)
                )
                lprobs = model.generator(features[:, -1])
                vocab = lprobs.size(1)
                only_pad = torch.full_like(lprobs, -math.inf)
                only_pad[:, model.pad_id] = 0.0
                lprobs = torch.where(finished.unsqueeze(1), only_pad, lprobs)
                totals = lprobs + total.unsqueeze(1)
                lengths = torch.where(finished, lengths, lengths + 1)
                divisor = ((lengths + 5) / 6) ** length_penalty
                ranked = (totals / divisor.unsqueeze(1)).view(bsz, beam_size * vocab)
                place = ranked.topk(beam_size, dim=1).indices
                total = totals.view(bsz, -1).gather(1, place).flatten()
                beams = (bbsz_offsets + place // vocab).flatten()
                token = (place % vocab).flatten()
                tokens = torch.cat([tokens.index_select(0, beams), token.unsqueeze(1)], dim=1)
                lengths = lengths.index_select(0, beams)
                finished = finished.index_select(0, beams) | token.eq(eos_id)
    finally:
        model.train(was_training)
    first = bbsz_offsets.flatten()
    return tokens[first, : int(lengths[first].max()) + 1]

# %% right: lists-of-prefixes
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    def score(prefix):
        return prefix["total"] / ((5 + prefix["length"]) / 6) ** length_penalty
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            alive = {"tokens": [bos_id], "total": 0.0, "length": 0, "ended": False}
            dead = {"tokens": [bos_id], "total": -math.inf, "length": 0, "ended": True}
            beams = [[alive] + [dead] * (beam_size - 1) for _ in range(src.size(0))]
            for _ in range(1, max_len):
                rows = [(n, prefix) for n, beam in enumerate(beams) for prefix in beam]
                if all(prefix["ended"] for _, prefix in rows):
                    break
                whose = torch.tensor([n for n, _ in rows], device=src.device)
                ids = src.new_tensor([prefix["tokens"] for _, prefix in rows])
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory[whose], src_mask[whose], tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                added, tokens = log_probs.topk(min(beam_size, log_probs.size(1)), dim=1)
                grown = [[] for _ in beams]
                for (n, old), adds, nexts in zip(rows, added.tolist(), tokens.tolist()):
                    if old["ended"]:
                        grown[n].append({**old, "tokens": old["tokens"] + [model.pad_id]})
                        continue
                    for add, token in zip(adds, nexts):
                        grown[n].append(
                            {
                                "tokens": old["tokens"] + [token],
                                "total": old["total"] + add,
                                "length": old["length"] + 1,
                                "ended": token == eos_id,
                            }
                        )
                beams = [sorted(many, key=score, reverse=True)[:beam_size] for many in grown]
    finally:
        model.train(was_training)
    longest = max(beam[0]["length"] for beam in beams)
    return src.new_tensor([beam[0]["tokens"][: longest + 1] for beam in beams])
