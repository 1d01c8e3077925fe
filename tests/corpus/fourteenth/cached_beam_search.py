# %% wrong: counts_anew_in_each_sentence | cumsum goes along each line of alive by itself, so the count begins again at 1 in each sentence. The rows are numbered through all lines: the second sentence's prefixes get keys of the first one.
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a prefix can be among the best of all.
            width = min(beam_size, log_probs.size(1))
            # What has ended can continue in one way only, with padding, at no cost.
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)
            totals = added + total.unsqueeze(2)  # (N, B, width)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            # The caches hold a row for each that was alive; each row follows its parent's.
            count = alive.cumsum(dim=1).flatten()  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
# %% wrong: alive_of_the_place_not_of_the_parent | Whether a prefix was alive is read at its own place, not at its parent's. After the beams are sorted anew another prefix stands there: ended ones come to life again, and the living are left out.
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a prefix can be among the best of all.
            width = min(beam_size, log_probs.size(1))
            # What has ended can continue in one way only, with padding, at no cost.
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)
            totals = added + total.unsqueeze(2)  # (N, B, width)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            # The caches hold a row for each that was alive; each row follows its parent's.
            count = alive.flatten().cumsum(dim=0)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
# %% wrong: own_rows_of_the_place | The row that a prefix continues is looked up at its own place, number[alive], and not at its parent's. The keys and values of another prefix are taken over, already at the first step.
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, device = src.size(0), src.device
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.full((batch, beam_size), -math.inf, device=device)
    total[:, 0] = 0.0
    length = src.new_zeros(batch, beam_size)
    alive = torch.zeros(batch, beam_size, dtype=torch.bool, device=device)
    alive[:, 0] = True
    def continuations(log_probs):
        table = log_probs.new_full((batch, beam_size, log_probs.size(1)), -math.inf)
        table[:, :, model.pad_id] = 0.0  # what has ended goes on with padding, at no cost
        table[alive] = log_probs
        return table  # (N, B, V)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(1, max_len):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            totals = total[:, :, None] + continuations(log_probs)
            length = length + alive
            penalty = ((5 + length) / 6) ** length_penalty
            scores = totals / penalty[:, :, None]
            best = scores.flatten(1).topk(beam_size, dim=1).indices
            parent = best.div(log_probs.size(1), rounding_mode="floor")
            token = best.remainder(log_probs.size(1))
            total = totals.flatten(1).gather(1, best)
            sentence = torch.arange(batch, device=device)[:, None]  # (N, 1), beside parent (N, B)
            ids = torch.cat([ids[sentence, parent], token[:, :, None]], dim=2)
            length = length[sentence, parent]
            number = torch.zeros_like(length)
            number[alive] = torch.arange(log_probs.size(0), device=device)  # rows of the caches
            alive = alive[sentence, parent] & (token != eos_id)
            rows = number[alive]
            decoder.keep(rows, alive)
    return ids[:, 0, : int(length[:, 0].max()) + 1]
# %% wrong: own_length_grows_after_the_end | The length of all prefixes grows by 1 at each step, also of those that have ended. So their score is divided by more and more for padding that they did not write, and the wrong prefix may win.
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, device = src.size(0), src.device
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.full((batch, beam_size), -math.inf, device=device)
    total[:, 0] = 0.0
    length = src.new_zeros(batch, beam_size)
    alive = torch.zeros(batch, beam_size, dtype=torch.bool, device=device)
    alive[:, 0] = True
    def continuations(log_probs):
        table = log_probs.new_full((batch, beam_size, log_probs.size(1)), -math.inf)
        table[:, :, model.pad_id] = 0.0  # what has ended goes on with padding, at no cost
        table[alive] = log_probs
        return table  # (N, B, V)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(1, max_len):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            totals = total[:, :, None] + continuations(log_probs)
            length = length + 1
            penalty = ((5 + length) / 6) ** length_penalty
            scores = totals / penalty[:, :, None]
            best = scores.flatten(1).topk(beam_size, dim=1).indices
            parent = best.div(log_probs.size(1), rounding_mode="floor")
            token = best.remainder(log_probs.size(1))
            total = totals.flatten(1).gather(1, best)
            sentence = torch.arange(batch, device=device)[:, None]  # (N, 1), beside parent (N, B)
            ids = torch.cat([ids[sentence, parent], token[:, :, None]], dim=2)
            length = length[sentence, parent]
            number = torch.zeros_like(length)
            number[alive] = torch.arange(log_probs.size(0), device=device)  # rows of the caches
            alive = alive[sentence, parent] & (token != eos_id)
            rows = number[sentence, parent][alive]
            decoder.keep(rows, alive)
    return ids[:, 0, : int(length[:, 0].max()) + 1]
