# %% wrong: ended_rows_wake_up | TRUE CAUSE: going asks only whether the newest token is not eos_id, so a row that has ended, and got padding, counts as going again
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


# %% wrong: rows_of_all_sentences | TRUE CAUSE: keep gets one boolean for each sentence instead of one for each row that was still alive, which fits only as long as no row has ended before
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
            decoder.keep(going, going.unsqueeze(1))  # blank: keep
            alive = going
    return ids


# %% wrong: filled_with_eos_one_too_long | TRUE CAUSE: two mistakes: rows that have ended are filled with eos_id instead of padding, and the loop writes one token more than max_len allows
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step."""
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones(src.size(0), dtype=torch.bool, device=src.device)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) <= max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], eos_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.cat([ids, token[:, None]], dim=1)
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going[:, None])
            alive = going
    return ids
