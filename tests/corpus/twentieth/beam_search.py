# %% wrong: memory-tiled | memory and src_mask are repeated as a whole (repeat: source 0, 1, ..., 0, 1, ...) and not each source beam_size times in a row (repeat_interleave), while the prefixes of a sentence stand one after the other in the N * B rows; with more than one sentence prefixes read the memory of a wrong source.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat(beam_size, 1, 1)
            src_mask = src_mask.repeat(beam_size, 1, 1, 1)
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
                best = scores.flatten(1).topk(beam_size, dim=1).indices
                total = totals.flatten(1).gather(1, best)
                parent = best // scores.size(2)
                token = best % scores.size(2)
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

# %% wrong: fairseq-length-to-the-alpha | The length penalty is length ** alpha, as fairseq and Hugging Face divide, instead of ((5 + length) / 6) ** alpha of Wu et al.; it favors long translations far more.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            bsz, neg_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            encoder_outs = model.encode(src, src_mask)
            new_order = torch.arange(bsz, device=src.device).view(-1, 1).repeat(1, beam_size).view(-1)
            encoder_outs = encoder_outs.index_select(0, new_order)
            src_mask = src_mask.index_select(0, new_order)
            bbsz_offsets = (torch.arange(bsz, device=src.device) * beam_size).unsqueeze(1)
            tokens = src.new_full((bsz * beam_size, 1), bos_id)
            cum = torch.full((bsz, beam_size), neg_inf, device=src.device)
            cum[:, 0] = 0.0
            steps = src.new_zeros(bsz, beam_size)
            finished = cum.isinf()
            for step in range(max_len - 1):
                if finished.all():
                    break
                decoder_out = model.decode(
                    tokens, encoder_outs, src_mask, target_mask(tokens, model.pad_id)
                )
                lprobs = model.generator(decoder_out[:, -1, :]).view(bsz, beam_size, -1)
                lprobs = lprobs.masked_fill(finished.unsqueeze(-1), neg_inf)
                lprobs[:, :, model.pad_id].masked_fill_(finished, 0.0)
                vocab_size = lprobs.size(-1)
                cand = cum.unsqueeze(-1) + lprobs
                steps = steps + (~finished).long()
                normalized = cand / steps.clamp(min=1).unsqueeze(-1) ** length_penalty
                indices = normalized.view(bsz, -1).topk(beam_size).indices
                cum = cand.view(bsz, -1).gather(1, indices)
                beams = torch.div(indices, vocab_size, rounding_mode="floor")
                words = indices.fmod(vocab_size)
                active = (beams + bbsz_offsets).view(-1)
                tokens = torch.cat([tokens.index_select(0, active), words.view(-1, 1)], dim=1)
                steps = steps.gather(1, beams)
                finished = finished.gather(1, beams) | words.eq(eos_id)
    finally:
        model.train(was_training)
    hypos = tokens.view(bsz, beam_size, -1)[:, 0]
    return hypos[:, : int(steps[:, 0].max()) + 1]

# %% wrong: penalty-only-at-the-end | The beam is pruned by the log-probabilities and the length penalty comes in only at the end, to choose among the survivors. The penalty belongs into the ranking of each step (the scores): a long one that it would have saved was already pushed out by short ones.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch = src.size(0)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            sentence = torch.arange(batch, device=src.device)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = float("-inf")
            length = src.new_zeros(batch, beam_size)
            ended = torch.isinf(total)
            while ids.size(2) < max_len and not ended.all():
                rows = ids.reshape(batch * beam_size, -1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).view(batch, beam_size, -1)
                vocabulary = log_probs.size(2)
                only_padding = log_probs.new_full((vocabulary,), float("-inf"))
                only_padding[model.pad_id] = 0.0
                log_probs = torch.where(ended.unsqueeze(2), only_padding, log_probs)
                length = length + (~ended).long()
                totals = (total.unsqueeze(2) + log_probs).reshape(batch, -1)
                total, best = totals.topk(beam_size, dim=1)
                parent, token = best // vocabulary, best % vocabulary
                ids = torch.cat([ids[sentence[:, None], parent], token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent) | (token == eos_id)
            score = total / ((5 + length) / 6) ** length_penalty
            winner = score.argmax(dim=1)
    finally:
        model.train(was_training)
    ids, length = ids[sentence, winner], length[sentence, winner]
    return ids[:, : int(length.max()) + 1]

# %% wrong: stops-when-the-best-has-ended | The search stops as soon as the best prefix of every sentence has ended. An ended translation only competes in the beam: another prefix that is still growing can overtake it, because its length penalty grows, so the loop has to go on until all prefixes have ended or max_len is reached.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch = src.size(0)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory, src_mask = (
                part.repeat_interleave(beam_size, dim=0) for part in (memory, src_mask)
            )
            first_row = torch.arange(batch, device=src.device)[:, None] * beam_size
            flat = src.new_full((batch * beam_size, 1), bos_id)
            total = torch.full((batch, beam_size), -math.inf, device=src.device)
            total[:, 0] = 0
            length = torch.zeros_like(total, dtype=torch.long)
            ended = total.isneginf()
            for _ in range(max_len - 1):
                if ended[:, 0].all():
                    break
                decoded = model.decode(flat, memory, src_mask, target_mask(flat, model.pad_id))
                log_probs = model.generator(decoded[:, -1])
                log_probs[ended.view(-1)] = -math.inf
                log_probs[ended.view(-1), model.pad_id] = 0.0
                size = log_probs.size(1)
                totals = (log_probs + total.view(-1, 1)).view(batch, -1)
                length = torch.where(ended, length, length + 1)
                divisor = torch.pow((length + 5) / 6, length_penalty)
                scores = totals / divisor.repeat_interleave(size, dim=1)
                best = scores.topk(beam_size).indices
                total = totals.gather(1, best)
                parent = torch.div(best, size, rounding_mode="floor")
                token = best - parent * size
                rows = (first_row + parent).view(-1)
                flat = torch.cat([flat[rows], token.view(-1, 1)], dim=1)
                length = length.view(-1)[rows].view(batch, beam_size)
                ended = ended.view(-1)[rows].view(batch, beam_size) | (token == eos_id)
    finally:
        model.train(was_training)
    winners = flat.view(batch, beam_size, -1)[:, 0]
    return winners[:, : length[:, 0].max().item() + 1]

# %% wrong: state-stays-in-its-row | Only the ids follow their parent; length and ended stay in the rows where they were. When prefixes change places in the beam, a prefix gets the end and the length of the one that stood in its row before: an ended one grows on, or a living one is stopped.
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
            ended = torch.zeros(batch, beam_size, dtype=torch.bool, device=src.device)
            for step in range(1, max_len):
                if ended.all():
                    break
                rows = ids.flatten(0, 1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).unflatten(0, (batch, beam_size))
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                if step == 1:
                    log_probs[:, 1:] = minus_inf
                totals = total.unsqueeze(2) + log_probs
                length = length + ~ended
                penalty = ((5 + length) / 6) ** length_penalty
                best = (totals / penalty.unsqueeze(2)).flatten(1).topk(beam_size).indices
                total = totals.flatten(1).gather(1, best)
                parent, token = best // totals.size(2), best % totals.size(2)
                grown = torch.take_along_dim(ids, parent.unsqueeze(2), dim=1)
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                ended = ended | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]
    return ids

# %% wrong: copies-of-bos-and-growing-lengths | Two mistakes. All prefixes begin alive with a total of 0, so in the first step each of them brings the same continuations and the beam fills with copies; only the first may grow. And the length counts every step, also for prefixes that have ended, whose length must no longer grow.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.unsqueeze(1).expand(-1, beam_size, -1, -1).flatten(0, 1)
            src_mask = src_mask.unsqueeze(1).expand(-1, beam_size, -1, -1, -1).flatten(0, 1)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            ended = torch.zeros_like(total, dtype=torch.bool)
            while ids.size(2) < max_len and not ended.all():
                rows = ids.flatten(0, 1)
                tgt_mask = target_mask(rows, model.pad_id)
                decoded = model.decode(rows, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1]).view(batch, beam_size, -1)
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = total.unsqueeze(2) + log_probs
                length = ids.size(2)
                scores = totals / ((5 + length) / 6) ** length_penalty
                best = scores.flatten(1).topk(beam_size).indices
                total = totals.flatten(1).gather(1, best)
                parent, token = best // totals.size(2), best % totals.size(2)
                ids = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([ids, token.unsqueeze(2)], dim=2)
                ended = ended.gather(1, parent) | (token == eos_id)
    finally:
        model.train(was_training)
    return ids[:, 0]

# %% wrong: each-prefix-its-own-best | Each prefix keeps its own best continuation (the maximum over the tokens), and continuations of different prefixes don't compete. The best beam_size of all B * V continuations of a sentence have to be kept, whoever they belong to; since only prefix 0 is alive in the first step, this is greedy decoding.
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
                totals = log_probs + total[:, :, None]
                length = length + ~ended
                penalty = ((5 + length) / 6).pow(length_penalty)
                scores = totals / penalty.unsqueeze(2)
                token = scores.argmax(dim=2)
                total = totals.gather(2, token.unsqueeze(2)).squeeze(2)
                order = (total / penalty).argsort(dim=1, descending=True)
                total, token = total.gather(1, order), token.gather(1, order)
                ids = ids.gather(1, order.unsqueeze(2).expand_as(ids))
                ids = torch.cat([ids, token.unsqueeze(2)], dim=2)
                length = length.gather(1, order)
                ended = ended.gather(1, order) | (token == eos_id)
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
            bsz = src.size(0)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            new_order = torch.arange(bsz, device=src.device).repeat_interleave(beam_size)
            memory, src_mask = memory.index_select(0, new_order), src_mask.index_select(0, new_order)
            offsets = beam_size * torch.arange(bsz, device=src.device).view(-1, 1)
            tokens = src.new_full((bsz * beam_size, 1), bos_id)
            cum = torch.full((bsz * beam_size,), -math.inf, device=src.device)
            cum[::beam_size] = 0.0
            lengths = torch.zeros_like(cum)
            finished = cum.isneginf()
            while tokens.size(1) < max_len and not bool(finished.all()):
                out = model.decode(tokens, memory, src_mask, target_mask(tokens, model.pad_id))
                lprobs = model.generator(out[:, -1])
                vocab = lprobs.size(1)
                idle = lprobs.new_full((vocab,), -math.inf)
                idle[model.pad_id] = 0.0
                lprobs = torch.where(finished.unsqueeze(1), idle, lprobs)
                cand = cum.unsqueeze(1) + lprobs
                lengths = lengths + finished.logical_not()
                penalty = torch.pow((5.0 + lengths) / 6.0, length_penalty)
                ranked = cand / penalty.unsqueeze(1)
                chosen = ranked.view(bsz, -1).topk(beam_size, dim=1).indices
                beams = torch.div(chosen, vocab, rounding_mode="floor")
                words = (chosen - beams * vocab).view(-1)
                cum = cand.view(bsz, -1).gather(1, chosen).view(-1)
                rows = (offsets + beams).view(-1)
                tokens = torch.cat([tokens[rows], words.unsqueeze(1)], dim=1)
                lengths = lengths[rows]
                finished = finished[rows] | words.eq(eos_id)
    finally:
        model.train(was_training)
    longest = int(lengths[::beam_size].max())
    return tokens[::beam_size, : longest + 1]

# %% right: best-of-each-prefix-first
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.unsqueeze(1).expand(-1, beam_size, -1, -1).flatten(0, 1)
            src_mask = src_mask.unsqueeze(1).expand(-1, beam_size, -1, -1, -1).flatten(0, 1)
            place = torch.arange(batch, device=src.device).unsqueeze(1)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            ended = total == minus_inf
            while ids.size(2) < max_len and not ended.all():
                rows = ids.flatten(0, 1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).unflatten(0, (batch, beam_size))
                width = min(beam_size, log_probs.size(2))
                added, tokens = log_probs.topk(width, dim=2)
                added[ended] = minus_inf
                tokens[ended] = model.pad_id
                added[:, :, 0].masked_fill_(ended, 0.0)
                length = length + ~ended
                penalty = ((5 + length) / 6) ** length_penalty
                totals = total.unsqueeze(2) + added
                scores = totals / penalty.unsqueeze(2)
                best = scores.flatten(1).sort(dim=1, descending=True).indices[:, :beam_size]
                total = totals.flatten(1)[place, best]
                token = tokens.flatten(1)[place, best]
                parent = best // width
                ids = torch.cat([ids[place, parent], token.unsqueeze(2)], dim=2)
                length = length[place, parent]
                ended = ended[place, parent] | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]
