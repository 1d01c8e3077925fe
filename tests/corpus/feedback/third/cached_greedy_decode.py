# %% wrong: ended_rows_come_back | TRUE CAUSE: `going` asks only for the token now: a row that has ended says padding, which is not eos_id, and so counts as going on again.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = token != eos_id
            decoder.keep(going[alive], going.unsqueeze(1))  # blank: keep
            alive = going
    return ids


# %% wrong: rows_numbered_in_the_batch | TRUE CAUSE: The rows to keep are numbered as places in the batch, (N,), although the caches hold only the R rows that were alive: right until the first one has ended.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going.nonzero().squeeze(1), going.unsqueeze(1))  # blank: keep
            alive = going
    return ids


# %% wrong: nothing_dropped | TRUE CAUSE: The caches are never told that rows have ended (keep with all of the rows that were alive), so they hold more rows than are asked for.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(torch.arange(len(log_probs)), going.unsqueeze(1))  # blank: keep
            alive = going
    return ids


# %% wrong: alive_without_beam_axis | TRUE CAUSE: `alive` is passed to keep as (N,) instead of (N, B) with a beam of 1, so the table of the cross-attention has an axis too few.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going)  # blank: keep
            alive = going
    return ids


# %% wrong: padding_ends_a_row | TRUE CAUSE: A row counts as ended when it says padding as well, not with eos_id alone.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id) & (token != model.pad_id)
            decoder.keep(going[alive], going.unsqueeze(1))  # blank: keep
            alive = going
    return ids


# %% wrong: alive_updated_too_early | TRUE CAUSE: `alive` is overwritten before the caches are told, so alive[alive] is all True and has the number of the new rows: no row is dropped from the caches.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            token = torch.full_like(ids[:, 0], model.pad_id)
            token[alive] = log_probs.argmax(-1)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            alive = alive & (token != eos_id)
            decoder.keep(alive[alive], alive.unsqueeze(1))
    return ids


# %% wrong: end_never_written | TRUE CAUSE: Replaces the token of a row that ends by padding: eos_id never stands in the result.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, with one position a step."""
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            said = decoder.step(ids[alive]).argmax(dim=1)
            going = alive.clone()
            going[alive] = said != eos_id
            token = torch.full_like(ids[:, 0], model.pad_id)
            token[going] = said[said != eos_id]
            ids = torch.hstack([ids, token[:, None]])
            decoder.keep(going[alive], going[:, None])
            alive = going
    return ids


# %% wrong: one_too_long_with_gradients | TRUE CAUSE: two mistakes: the loop writes max_len tokens after bos_id, one too many, and it runs without torch.no_grad().
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones(len(src), dtype=torch.bool, device=src.device)
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            token = torch.full_like(ids[:, 0], model.pad_id)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids
