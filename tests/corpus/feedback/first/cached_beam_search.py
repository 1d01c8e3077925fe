# %% wrong: row_is_parent | TRUE CAUSE: the parent's place within its beam is taken for its row in the cache, so with several sentences all follow rows of the first ones
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A beginning that has ended is left out, even where others of its beam go on.
    """
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a beginning can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended goes on in one way only, with padding, at no cost.
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
            row = parent  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: alive_stays_put | TRUE CAUSE: alive does not follow the new order: it is combined with the token without being gathered by parent
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A beginning that has ended is left out, even where others of its beam go on.
    """
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a beginning can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended goes on in one way only, with padding, at no cost.
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
            row = (alive.flatten().cumsum(0) - 1).view_as(alive).gather(1, parent)  # (N, B)
            alive = alive & (token != eos_id)
            decoder.keep(row[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: cumsum_without_axis | TRUE CAUSE: cumsum is called without its axis, so it raises a TypeError
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A beginning that has ended is left out, even where others of its beam go on.
    """
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a beginning can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended goes on in one way only, with padding, at no cost.
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
            row = (alive.flatten().cumsum() - 1).view_as(alive).gather(1, parent)  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: rows_of_full_beams | TRUE CAUSE: rows are counted as if each sentence had all beam_size rows in the cache, although what has ended is not there any more
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A beginning that has ended is left out, even where others of its beam go on.
    """
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a beginning can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended goes on in one way only, with padding, at no cost.
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
            row = parent + beam_size * torch.arange(batch, device=src.device)[:, None]  # (N, B)
            alive = torch.logical_and(torch.gather(alive, 1, parent), token.ne(eos_id))
            decoder.keep(row.masked_select(alive), alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: one_row_off | TRUE CAUSE: the running count of the living starts at 1 and nothing is subtracted, so every beginning follows the row after its parent's
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A beginning that has ended is left out, even where others of its beam go on.
    """
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a beginning can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended goes on in one way only, with padding, at no cost.
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
            row = torch.gather(alive.view(-1).cumsum(dim=0).reshape(alive.shape), 1, parent)  # (N, B)
            alive = alive.gather(dim=1, index=parent).logical_and(token != eos_id)
            decoder.keep(torch.masked_select(row, alive), alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: alive_too_early | TRUE CAUSE: alive is updated before the rows are counted, so rows are numbered among those that go on instead of those that the caches hold
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    N, B = src.size(0), beam_size
    ids = src.new_full((N, B, 1), bos_id)
    logp = torch.full((N, B), -math.inf, device=src.device)
    logp[:, 0] = 0.0
    length = src.new_zeros(N, B)
    alive = logp == 0
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            V = log_probs.size(1)
            full = log_probs.new_full((N, B, V), -math.inf)
            full[:, :, model.pad_id] = 0.0
            full[alive] = log_probs
            full = full + logp[..., None]
            length = length + alive
            score = full / (((5 + length) / 6) ** length_penalty)[..., None]
            best = score.flatten(1).topk(B).indices
            parent, token = best // V, best % V
            logp = full.flatten(1).gather(1, best)
            ids = torch.cat([ids.gather(1, parent[..., None].expand_as(ids)), token[..., None]], 2)
            length = length.gather(1, parent)
            alive = alive.gather(1, parent) & (token != eos_id)
            number = torch.zeros_like(parent)
            number[alive] = torch.arange(int(alive.sum()), device=src.device)
            decoder.keep(number.gather(1, parent)[alive], alive)
    return ids[:, 0, : length[:, 0].max() + 1]

# %% wrong: one_continuation | TRUE CAUSE: only the single best continuation of each beginning is looked at (topk(1)), so the search never branches
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch = src.size(0)
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = float("-inf")
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            best_log_prob, best_token = decoder.step(ids[alive]).max(dim=1)  # (R,)
            token = torch.full_like(length, model.pad_id)
            token[alive] = best_token
            added = torch.zeros_like(total)
            added[alive] = best_log_prob
            total = total + added
            length = length + alive
            score = total / ((5 + length) / 6) ** length_penalty
            parent = score.argsort(dim=1, descending=True)
            total, length = total.gather(1, parent), length.gather(1, parent)
            token = token.gather(1, parent)
            ids = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([ids, token.unsqueeze(2)], dim=2)
            row = (alive.flatten().cumsum(0) - 1).view(batch, beam_size).gather(1, parent)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    return ids[:, 0, : length[:, 0].max() + 1]

# %% wrong: not_reordered | TRUE CAUSE: two mistakes: the ids do not follow their parents, the new token is put behind whatever stands at that place; and the length grows by 1 for all, those that have ended too
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(1, max_len):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(1))
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)
            totals = added + total[:, :, None]
            length = length + 1
            scores = totals / (((length + 5) / 6) ** length_penalty)[:, :, None]
            best = scores.flatten(1).topk(beam_size)[1]
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            ids = torch.cat([ids, token[:, :, None]], dim=2)
            length = length.gather(1, parent)
            where = torch.full_like(parent, -1)
            where[alive] = torch.arange(len(log_probs), device=src.device)
            row = where.gather(1, parent)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    return ids[:, 0, : length[:, 0].max() + 1]
