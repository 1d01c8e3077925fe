# %% wrong: fairseq-place-taken-apart-by-beam | A place in the row of all continuations is taken apart with beam_size in place of the size of the vocabulary, and the other way round: the remainder by beam_size is taken as the prefix, the quotient as the token. There are V places for each prefix, so the parent is place // V and the token place % V.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            bsz, minus_inf = src.size(0), -math.inf
            src_mask = padding_mask(src, model.pad_id)
            encoder_outs = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            tokens = src.new_full((bsz, beam_size, 1), bos_id)
            total = torch.zeros(bsz, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(bsz, beam_size)
            ended = total == minus_inf
            for _ in range(1, max_len):
                if ended.all():
                    break
                rows = tokens.flatten(0, 1)
                out = model.decode(rows, encoder_outs, src_mask, target_mask(rows, model.pad_id))
                lprobs = model.generator(out[:, -1]).unflatten(0, (bsz, beam_size))
                lprobs = lprobs.masked_fill(ended.unsqueeze(2), minus_inf)
                lprobs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = total.unsqueeze(2) + lprobs
                length = length + ~ended
                penalty = ((5 + length) / 6) ** length_penalty
                cand_scores = (totals / penalty.unsqueeze(2)).reshape(bsz, -1)
                cand_indices = cand_scores.topk(beam_size).indices
                beams = cand_indices.fmod(beam_size)
                words = torch.div(cand_indices, beam_size, rounding_mode="floor")
                total = totals.flatten(1).gather(1, cand_indices)
                grown = tokens.gather(1, beams.unsqueeze(2).expand_as(tokens))
                tokens = torch.cat([grown, words.unsqueeze(2)], dim=2)
                length = length.gather(1, beams)
                ended = ended.gather(1, beams) | (words == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return tokens[:, 0, : longest + 1]

# %% wrong: hf-length-power | The log-probability is divided by length ** length_penalty, the penalty of Hugging Face's BeamSearchScorer, and not by ((5 + length) / 6) ** length_penalty of Wu et al., so long translations are favored far more.
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
            input_ids = src.new_full((batch, beam_size, 1), bos_id)
            beam_scores = torch.zeros(batch, beam_size, device=src.device)
            beam_scores[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            done = beam_scores == minus_inf
            for _ in range(1, max_len):
                if done.all():
                    break
                rows = input_ids.flatten(0, 1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1])
                vocab_size = log_probs.size(-1)
                log_probs = log_probs.reshape(batch, beam_size, vocab_size)
                log_probs = log_probs.masked_fill(done.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(done, 0.0)
                sum_logprobs = log_probs + beam_scores[:, :, None]
                length = length + ~done
                ranked = sum_logprobs / (length**length_penalty).unsqueeze(2)
                next_indices = ranked.reshape(batch, -1).topk(beam_size, dim=1).indices
                beam_scores = sum_logprobs.reshape(batch, -1).gather(1, next_indices)
                beam_idx = next_indices // vocab_size
                next_tokens = next_indices % vocab_size
                kept = input_ids.gather(1, beam_idx.unsqueeze(2).expand_as(input_ids))
                input_ids = torch.cat([kept, next_tokens.unsqueeze(2)], dim=-1)
                length = length.gather(1, beam_idx)
                done = done.gather(1, beam_idx) | (next_tokens == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return input_ids[:, 0, : longest + 1]

# %% wrong: score-carried-as-total | What is kept for each prefix as its total is its score, already divided by the penalty, so at each later step it is divided again, and the early tokens count less and less. total has to hold the plain sum of log-probabilities; the division is for ranking alone.
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
                total, best = scores.flatten(1).topk(beam_size)
                parent = best // log_probs.size(2)
                token = best % log_probs.size(2)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent)
                ended[token == eos_id] = True
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% wrong: length-stays-in-its-row | Of all that is kept for a prefix, the length alone doesn't follow its parent when the prefixes change rows (the helper is called for ids and ended only). So a continuation is later ranked by the length of another prefix, and the result is cut by a wrong length.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    def of_parents(kept, parent):
        return kept[torch.arange(kept.size(0), device=kept.device)[:, None], parent]
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.full((batch, beam_size), minus_inf, device=src.device)
            total[:, 0] = 0.0
            length = src.new_zeros(batch, beam_size)
            ended = total.isinf()
            step = 1
            while step < max_len and not ended.all():
                rows = ids.flatten(0, 1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).unflatten(0, (batch, beam_size))
                vocabulary = log_probs.size(2)
                waiting = torch.full_like(log_probs, minus_inf)
                waiting[:, :, model.pad_id] = 0.0
                log_probs = torch.where(ended.unsqueeze(2), waiting, log_probs)
                totals = (log_probs + total.unsqueeze(2)).flatten(1)
                length = length + ended.logical_not()
                penalty = ((length + 5) / 6) ** length_penalty
                best = (totals / penalty.repeat_interleave(vocabulary, dim=1)).topk(beam_size)[1]
                total = totals.gather(1, best)
                parent, token = best // vocabulary, best % vocabulary
                ids = torch.cat([of_parents(ids, parent), token.unsqueeze(2)], dim=2)
                ended = of_parents(ended, parent) | (token == eos_id)
                step += 1
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% wrong: all-prefixes-begin-at-zero | All prefixes of a beam begin with a total of 0, and none counts as ended. They are all alike (bos_id alone), so the best continuation is found once for each of them, the beam fills with copies, and the search is a greedy one. Only the first may grow at first; the others begin with minus infinity and ended.
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
            length = src.new_zeros(batch, beam_size)
            ended = torch.zeros_like(length, dtype=torch.bool)
            while not ended.all() and ids.size(2) < max_len:
                rows = ids.reshape(batch * beam_size, -1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).reshape(batch, beam_size, -1)
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = total.unsqueeze(2) + log_probs
                length = length + ~ended
                penalty = torch.pow((5.0 + length) / 6.0, length_penalty)
                scores = totals / penalty.unsqueeze(2)
                best = scores.flatten(1).topk(beam_size).indices
                total = totals.flatten(1).gather(1, best)
                parent = best // log_probs.size(-1)
                token = best % log_probs.size(-1)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent) | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% wrong: one-length-for-all-and-padding-that-costs | Two mistakes. The penalty is computed from the step, one number for all prefixes, so it ranks nothing anew, and the length of a translation that has ended grows on with the others. And the padding after an ended translation keeps the log-probability that the model gives it, so waiting in the beam costs something at each step, where it should cost nothing (0).
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
            for step in range(1, max_len):
                if ended.all():
                    break
                rows = ids.flatten(0, 1)
                tgt_mask = target_mask(rows, model.pad_id)
                decoded = model.decode(rows, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                log_probs = log_probs.unflatten(0, (batch, beam_size))
                vocabulary = log_probs.size(2)
                words = torch.arange(vocabulary, device=src.device) != model.pad_id
                log_probs = log_probs.masked_fill(ended.unsqueeze(2) & words, minus_inf)
                totals = total.unsqueeze(2) + log_probs
                length = length + ~ended
                scores = totals / ((5 + step) / 6) ** length_penalty
                best = scores.flatten(1).topk(beam_size).indices
                total = totals.flatten(1).gather(1, best)
                parent, token = best // vocabulary, best % vocabulary
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent) | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% right: flat-rows-as-in-fairseq
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            bsz, minus_inf = src.size(0), -math.inf
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            order = torch.arange(bsz, device=src.device).repeat_interleave(beam_size)
            memory, src_mask = memory[order], src_mask[order]
            bbsz_offsets = (torch.arange(bsz, device=src.device) * beam_size).unsqueeze(1)
            tokens = src.new_full((bsz * beam_size, 1), bos_id)
            lprob = torch.full((bsz, beam_size), minus_inf, device=src.device)
            lprob[:, 0] = 0.0
            lengths = src.new_zeros(bsz, beam_size)
            finished = lprob.isinf()
            while tokens.size(1) < max_len and not finished.all():
                mask = target_mask(tokens, model.pad_id)
                decoded = model.decode(tokens, memory, src_mask, mask)
                step_lprobs = model.generator(decoded[:, -1]).unflatten(0, (bsz, beam_size))
                vocab = step_lprobs.size(-1)
                waiting = torch.full_like(step_lprobs, minus_inf)
                waiting[:, :, model.pad_id] = 0.0
                step_lprobs = torch.where(finished.unsqueeze(2), waiting, step_lprobs)
                cand = step_lprobs + lprob.unsqueeze(2)
                lengths = lengths + finished.logical_not()
                penalty = ((5 + lengths) / 6) ** length_penalty
                ranked = (cand / penalty.unsqueeze(2)).reshape(bsz, -1)
                picked = ranked.topk(beam_size, dim=1).indices
                beams = torch.div(picked, vocab, rounding_mode="floor")
                words = picked - beams * vocab
                lprob = cand.reshape(bsz, -1).gather(1, picked)
                rows = (bbsz_offsets + beams).reshape(-1)
                tokens = torch.cat([tokens[rows], words.reshape(-1, 1)], dim=1)
                lengths = lengths.reshape(-1)[rows].view(bsz, beam_size)
                finished = finished.reshape(-1)[rows].view(bsz, beam_size) | (words == eos_id)
    finally:
        model.train(was_training)
    best_rows = tokens.view(bsz, beam_size, -1)[:, 0]
    return best_rows[:, : int(lengths[:, 0].max()) + 1]

# %% right: sentence-by-sentence-choice
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
                vocabulary = log_probs.size(2)
                totals = torch.add(total[..., None], log_probs)
                length = length + ~ended
                penalty = ((length + 5) / 6) ** length_penalty
                scores = totals / penalty[..., None]
                kept = []
                for n in range(batch):
                    place = scores[n].flatten().topk(beam_size).indices
                    parent, token = place // vocabulary, place % vocabulary
                    grown = torch.cat([ids[n, parent], token[:, None]], dim=1)
                    over = ended[n, parent] | (token == eos_id)
                    kept.append((grown, totals[n, parent, token], length[n, parent], over))
                ids, total, length, ended = (torch.stack(part) for part in zip(*kept))
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]
