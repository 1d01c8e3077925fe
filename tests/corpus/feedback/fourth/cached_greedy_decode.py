# %% wrong: rows_are_sentences | TRUE CAUSE: keep gets a boolean for each sentence, (N,), in place of one for each row there was, (R,): right only until the first row ends
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
            token[alive] = log_probs.argmax(dim=1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going, going.unsqueeze(1))  # blank: keep
            alive = going
    return ids

# %% wrong: the_dead_come_back | TRUE CAUSE: going looks at the newest token only; a row that has ended says padding, which is not eos_id, so it is alive again a step later
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
            token[alive] = log_probs.argmax(dim=1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = token != eos_id
            decoder.keep(going[alive], going.unsqueeze(1))  # blank: keep
            alive = going
    return ids

# %% wrong: ends_at_bos | TRUE CAUSE: going compares with bos_id in place of eos_id, so a row never ends, and is computed and written on behind its eos_id
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
            token[alive] = log_probs.argmax(dim=1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != bos_id)
            decoder.keep(going[alive], going.unsqueeze(1))  # blank: keep
            alive = going
    return ids

# %% wrong: alive_first | TRUE CAUSE: alive is replaced before keep asks it, so alive[alive] has a True for each row that goes on, not a boolean for each row there was
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            token = torch.full_like(ids[:, 0], model.pad_id)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])
            alive = alive & (token != eos_id)
            decoder.keep(alive[alive], alive.unsqueeze(1))
    return ids

# %% wrong: ended_rows_still_computed | TRUE CAUSE: all rows are decoded to the end and only their tokens are replaced by padding: the ids are right, but what has ended is still computed, keep is never called
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and not ended.all():
            token = decoder.step(ids).argmax(dim=-1)
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    return ids

# %% wrong: stops_with_the_first | TRUE CAUSE: the loop goes on while all rows are alive, so it stops when the first row ends, not the last
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones(src.size(0), dtype=torch.bool, device=src.device)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.all():
            likeliest = decoder.step(ids[alive]).argmax(dim=1)
            token = ids.new_full((ids.size(0),), model.pad_id)
            token[alive] = likeliest
            ids = torch.cat([ids, token[:, None]], dim=1)
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going[:, None])
            alive = going
    return ids

# %% wrong: one_too_many_and_gradients | TRUE CAUSE: two mistakes: max_len does not count bos_id (the loop writes max_len tokens behind it), and torch.no_grad is missing
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            token = torch.full_like(ids[:, 0], model.pad_id)
            token[alive] = log_probs.argmax(dim=1)
            ids = torch.hstack([ids, token.unsqueeze(1)])
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids
