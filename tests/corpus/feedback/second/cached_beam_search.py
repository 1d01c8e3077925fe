# %% wrong: as_if_all_were_alive | TRUE CAUSE: The row is computed as sentence times beam_size plus parent, as if all places of all beams had a row in the caches (crash with an index out of range, or wrong rows).
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
            row = parent + beam_size * torch.arange(batch, device=src.device).unsqueeze(1)  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: rows_counted_from_one | TRUE CAUSE: The rows are counted with cumsum without taking off 1, so each beginning takes the row behind its parent's.
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
            row = alive.flatten().cumsum(0).view(batch, beam_size).gather(1, parent)  # (N, B)
            alive = torch.logical_and(alive.gather(1, parent), token.ne(eos_id))
            decoder.keep(row.masked_select(alive), alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: alive_not_of_parent_and_no_five | TRUE CAUSE: Two mistakes: what goes on is told by the place's old alive instead of by its parent's; and the penalty is (length / 6) to the power, without the 5.
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
            shrink = (length / 6).clamp(min=1 / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            # The caches hold a row for each that was alive; each row follows its parent's.
            row = (alive.flatten().long().cumsum(0) - 1).view_as(alive).gather(1, parent)  # (N, B)
            alive = alive & (token != eos_id)
            decoder.keep(row[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: rows_counted_per_sentence | TRUE CAUSE: The rows are counted anew in each sentence (cumsum along the beam), so all sentences take over the cached keys and values of the first ones.
@torch.no_grad()
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Beam search with cached keys and values."""
    n = src.size(0)
    ids = src.new_full((n, beam_size, 1), bos_id)
    total = torch.full((n, beam_size), float("-inf"), device=src.device)
    total[:, 0] = 0.0
    length = torch.zeros(n, beam_size, dtype=src.dtype, device=src.device)
    alive = torch.zeros(n, beam_size, dtype=torch.bool, device=src.device)
    alive[:, 0] = True

    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(-1))
            added = log_probs.new_full((n, beam_size, width), float("-inf"))
            added[..., 0] = 0.0
            tokens = torch.full((n, beam_size, width), model.pad_id, dtype=ids.dtype, device=src.device)
            values, indices = log_probs.topk(width, dim=-1)
            added[alive] = values
            tokens[alive] = indices

            totals = total[:, :, None] + added
            length = length + alive
            scores = totals / (((5 + length) / 6) ** length_penalty)[:, :, None]
            best = scores.view(n, -1).topk(beam_size, dim=1).indices
            parent = torch.div(best, width, rounding_mode="floor")
            token = tokens.view(n, -1).gather(1, best)
            total = totals.view(n, -1).gather(1, best)
            length = length.gather(1, parent)
            ids = torch.cat([ids.gather(1, parent[:, :, None].expand_as(ids)), token[:, :, None]], dim=2)

            place = alive.cumsum(dim=1) - 1
            row = place.gather(1, parent)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    return ids[:, 0, : length[:, 0].max() + 1]
