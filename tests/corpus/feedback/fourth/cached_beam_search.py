# %% wrong: own_row_not_the_parents | TRUE CAUSE: the caches keep the row of the place itself, row[alive], not that of the parent, whose prefix now stands there
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
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
            alive = alive.gather(1, parent) & (token != eos_id)  # blank: goes_on
            decoder.keep(row[alive], alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: places_for_rows | TRUE CAUSE: the parent's place within its beam is taken for the number of its row in the caches
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
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
            alive = alive.gather(1, parent) & (token != eos_id)  # blank: goes_on
            decoder.keep(parent[alive], alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: own_life_not_the_parents | TRUE CAUSE: a place goes on if it was alive before, not if its parent was: prefixes that have ended grow, or live ones stop, wherever places change
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
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
            alive = alive & (token != eos_id)  # blank: goes_on
            decoder.keep(row.gather(1, parent)[alive], alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: counts_in_each_sentence | TRUE CAUSE: cumsum runs along each beam, so the row numbers begin at 0 again in every sentence: all rows are taken from the first
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
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
            alive = alive.gather(1, parent) & (token != eos_id)  # blank: goes_on
            decoder.keep(row.gather(1, parent)[alive], alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: every_place_has_a_row | TRUE CAUSE: numbers all places of all beams, as if the dead ones had a row in the caches, too
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
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
            count = torch.arange(1, alive.numel() + 1, device=src.device)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)  # blank: goes_on
            decoder.keep(row.gather(1, parent)[alive], alive)  # blank: rows
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: rows_of_the_old_alive | TRUE CAUSE: the parents' rows are chosen by the alive of before this step, then alive is replaced: the chosen rows are not those of the prefixes that go on
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(1))
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            row = alive.flatten().cumsum(dim=0).view_as(alive) - 1
            rows = row.gather(1, parent)[alive]
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(rows, alive)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% wrong: length_keeps_growing | TRUE CAUSE: the length of every prefix grows at each step, also of those that have ended: their score is divided by more and more, and the padding is not cut
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(1))
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)
            length = length + 1
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            row = alive.flatten().cumsum(dim=0).view_as(alive) - 1
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    return ids[:, 0, : longest + 1]

# %% wrong: best_not_followed_and_not_cut | TRUE CAUSE: two mistakes: length is not taken over from the parents, and the padding behind the longest of the best translations is not cut off
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(1))
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)

            row = alive.flatten().cumsum(dim=0).view_as(alive) - 1
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row.gather(1, parent)[alive], alive)
    return ids[:, 0]
