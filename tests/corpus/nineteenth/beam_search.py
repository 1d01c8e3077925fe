# %% wrong: one-length-for-all | The penalty is computed from the number of the step, as if all prefixes were equally long. A translation that has ended no longer grows, so its length must stay; with one divisor for all, the length penalty changes no ranking at all.
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
                step = ids.size(2)
                penalty = math.pow((5 + step) / 6, length_penalty)
                scores = totals / penalty
                best = scores.flatten(1).topk(beam_size).indices
                total = totals.flatten(1).gather(1, best)
                parent = best // log_probs.size(2)
                token = best % log_probs.size(2)
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

# %% wrong: score-kept-as-total | The score, divided by the penalty already, is kept as the total of the prefix, and the next step adds log-probabilities to it and divides again. The total must stay the plain sum of log-probabilities; only the ranking uses the score.
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

# %% wrong: length-stays-behind | The lengths are not put in the order of the new rows: each row keeps the length of the prefix that was in its place before, and not that of its parent, so penalties (and the cut at the end) belong to other prefixes.
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
                parent = best // log_probs.size(2)
                token = best % log_probs.size(2)
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

# %% wrong: stops-when-the-first-has-ended | The search stops as soon as the best row of each beam has ended. A translation that has ended stays in the beam and is compared with all others, and one that is still growing may overtake it by the length penalty; only when all rows have ended (or at max_len) is the search over.
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
                if ended[:, 0].all():
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
                parent = best // log_probs.size(2)
                token = best % log_probs.size(2)
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

# %% wrong: place-read-in-another-layout | The scores are laid out with the token first (V groups of B) before topk, but a place is still read as prefix first (V continuations for each prefix): parent, token and total are then those of another continuation.
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
                by_token = scores.permute(0, 2, 1).contiguous()
                best = by_token.view(batch, -1).topk(beam_size, dim=-1).indices
                total = totals.flatten(1).gather(1, best)
                parent = best // log_probs.size(2)
                token = best % log_probs.size(2)
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

# %% wrong: repeat-for-repeat-interleave | The memory and its mask are copied with repeat, which puts whole batches one behind the other, but the rows of the beam are ordered sentence by sentence: with more than one sentence, most prefixes look at the source of another one. The rows of one source have to follow one another.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            n = src.size(0)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat(beam_size, 1, 1)
            src_mask = src_mask.repeat(beam_size, 1, 1, 1)
            beams = src.new_full((n * beam_size, 1), bos_id)
            beam_scores = memory.new_full((n, beam_size), float("-inf"))
            beam_scores[:, 0] = 0.0
            done = beam_scores.isinf()
            lengths = torch.zeros_like(beam_scores)
            offset = beam_size * torch.arange(n, device=src.device).unsqueeze(1)
            while beams.size(1) < max_len and not done.all():
                hidden = model.decode(beams, memory, src_mask, target_mask(beams, model.pad_id))
                log_probs = model.generator(hidden[:, -1]).view(n, beam_size, -1)
                vocab = log_probs.size(-1)
                only_pad = torch.full_like(log_probs, float("-inf"))
                only_pad[..., model.pad_id] = 0.0
                log_probs = torch.where(done.unsqueeze(-1), only_pad, log_probs)
                candidates = beam_scores.unsqueeze(-1) + log_probs
                lengths = lengths + (~done).float()
                lp = ((5.0 + lengths) / 6.0).pow(length_penalty)
                _, flat = (candidates / lp.unsqueeze(-1)).view(n, -1).topk(beam_size, dim=1)
                beam_scores = candidates.view(n, -1).gather(1, flat)
                origin = torch.div(flat, vocab, rounding_mode="floor")
                words = flat.remainder(vocab)
                beams = beams.index_select(0, (offset + origin).view(-1))
                beams = torch.cat([beams, words.view(-1, 1)], dim=1)
                lengths = lengths.gather(1, origin)
                done = done.gather(1, origin) | (words == eos_id)
    finally:
        model.train(was_training)
    first = beams.view(n, beam_size, -1)[:, 0]
    return first[:, : int(lengths[:, 0].max()) + 1]

# %% wrong: each-prefix-for-itself | Each prefix is continued with its own best token, so every row stays its own parent and the continuations of different prefixes never compete; the best B of all B * V continuations have to be kept. (As only the first prefix may begin, the search is greedy decoding.)
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch = src.size(0)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask).repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.full((batch, beam_size), float("-inf"), device=src.device)
            total[:, 0] = 0.0
            length = src.new_zeros(batch, beam_size)
            ended = total.isinf()
            while ids.size(2) < max_len and not ended.all():
                rows = ids.view(batch * beam_size, -1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).view(batch, beam_size, -1)
                added, token = log_probs.max(dim=2)
                added = added.masked_fill(ended, 0.0)
                token = token.masked_fill(ended, model.pad_id)
                total = total + added
                length = length + ~ended
                score = total / ((5 + length) / 6) ** length_penalty
                order = score.argsort(dim=1, descending=True)
                ids = torch.cat([ids, token.unsqueeze(2)], dim=2)
                ids = ids.gather(1, order.unsqueeze(2).expand_as(ids))
                ended = (ended | (token == eos_id)).gather(1, order)
                total, length = total.gather(1, order), length.gather(1, order)
    finally:
        model.train(was_training)
    return ids[:, 0, : length[:, 0].max() + 1]

# %% wrong: length-to-the-power | The penalty is length ** length_penalty, as in fairseq and Hugging Face, and not ((5 + length) / 6) ** length_penalty as in Wu et al.: it favors long translations far more, and ranks otherwise.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            bsz, num_beams = src.size(0), beam_size
            src_mask = padding_mask(src, model.pad_id)
            encoder_out = model.encode(src, src_mask)
            new_order = torch.arange(bsz, device=src.device).repeat_interleave(num_beams)
            encoder_out, src_mask = encoder_out[new_order], src_mask[new_order]
            tokens = src.new_full((bsz * num_beams, 1), bos_id)
            cum_log_probs = encoder_out.new_zeros(bsz, num_beams)
            cum_log_probs[:, 1:] = -math.inf
            finished = cum_log_probs == -math.inf
            lengths = src.new_zeros(bsz, num_beams)
            bbsz_offsets = (torch.arange(bsz, device=src.device) * num_beams).unsqueeze(1)
            for _ in range(max_len - 1):
                if finished.all():
                    break
                decoded = model.decode(
                    tokens, encoder_out, src_mask, target_mask(tokens, model.pad_id)
                )
                lprobs = model.generator(decoded[:, -1]).view(bsz, num_beams, -1)
                vocab_size = lprobs.size(-1)
                lprobs = lprobs.masked_fill(finished.unsqueeze(-1), -math.inf)
                lprobs[:, :, model.pad_id] = torch.where(
                    finished, torch.zeros_like(cum_log_probs), lprobs[:, :, model.pad_id]
                )
                lprobs = lprobs + cum_log_probs.unsqueeze(-1)
                lengths = lengths + (~finished).long()
                normalized = lprobs / (lengths**length_penalty).unsqueeze(-1)
                cand_indices = normalized.view(bsz, -1).topk(k=num_beams).indices
                cum_log_probs = lprobs.view(bsz, -1).gather(1, cand_indices)
                cand_beams = cand_indices // vocab_size
                next_tokens = cand_indices % vocab_size
                active = (cand_beams + bbsz_offsets).view(-1)
                tokens = torch.cat([tokens[active], next_tokens.view(-1, 1)], dim=-1)
                lengths = lengths.gather(1, cand_beams)
                finished = finished.gather(1, cand_beams) | next_tokens.eq(eos_id)
    finally:
        model.train(was_training)
    best_len = lengths[:, 0].max()
    return tokens.view(bsz, num_beams, -1)[:, 0, : best_len + 1]

# %% wrong: ranked-by-total-and-ended-stays-behind | Two mistakes. At each step the best continuations are chosen by their totals and not by the scores, so the length penalty has no say in what the beam keeps, and only picks the winner in the end. And `ended` is not put in the order of the new rows (gather with parent), so rows go on that continue an ended prefix, and others are stopped.
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch = src.size(0)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat_interleave(beam_size, dim=0)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)
            ids = src.new_full((batch, beam_size, 1), bos_id)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = float("-inf")
            length = src.new_zeros(batch, beam_size)
            ended = total.isinf()
            for _ in range(1, max_len):
                if ended.all():
                    break
                rows = ids.flatten(0, 1)
                decoded = model.decode(rows, memory, src_mask, target_mask(rows, model.pad_id))
                log_probs = model.generator(decoded[:, -1]).unflatten(0, (batch, beam_size))
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), float("-inf"))
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)
                totals = log_probs + total[:, :, None]
                length = length + ~ended
                total, best = totals.flatten(1).topk(beam_size)
                parent, token = best // totals.size(2), best % totals.size(2)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended | (token == eos_id)
    finally:
        model.train(was_training)
    scores = total / ((5 + length) / 6) ** length_penalty
    winner = scores.argmax(dim=1)
    ids = ids[torch.arange(batch, device=src.device), winner]
    longest = length[torch.arange(batch, device=src.device), winner].max()
    return ids[:, : longest + 1]

# %% right: rows-and-offsets
def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            n = src.size(0)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            copies = torch.arange(n, device=src.device).repeat_interleave(beam_size)
            memory, src_mask = memory[copies], src_mask[copies]
            beams = src.new_full((n * beam_size, 1), bos_id)
            total = torch.full((n, beam_size), -math.inf, device=src.device)
            total[:, 0] = 0.0
            done = total.isinf()
            lengths = src.new_zeros(n, beam_size)
            offset = beam_size * torch.arange(n, device=src.device)[:, None]
            while beams.size(1) < max_len and not done.all():
                hidden = model.decode(beams, memory, src_mask, target_mask(beams, model.pad_id))
                log_probs = model.generator(hidden[:, -1]).view(n, beam_size, -1)
                vocab = log_probs.size(-1)
                only_pad = torch.full_like(log_probs, -math.inf)
                only_pad[..., model.pad_id] = 0.0
                log_probs = torch.where(done[:, :, None], only_pad, log_probs)
                candidates = (log_probs + total[:, :, None]).view(n, -1)
                lengths = lengths + (~done).long()
                divisor = ((5 + lengths) / 6).pow(length_penalty)
                ranked = candidates / divisor.repeat_interleave(vocab, dim=1)
                places = ranked.topk(beam_size, dim=1).indices
                total = candidates.gather(1, places)
                origin = torch.div(places, vocab, rounding_mode="floor")
                words = places - origin * vocab
                beams = torch.cat([beams[(offset + origin).view(-1)], words.view(-1, 1)], dim=1)
                lengths = lengths.gather(1, origin)
                done = done.gather(1, origin) | (words == eos_id)
    finally:
        model.train(was_training)
    first = beams.view(n, beam_size, -1)[:, 0]
    return first[:, : int(lengths[:, 0].max()) + 1]
