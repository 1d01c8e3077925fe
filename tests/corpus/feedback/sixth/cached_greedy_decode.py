# %% wrong: rows_of_all_sentences | TRUE CAUSE: keep gets going for all N sentences as rows, instead of for the R rows that were alive (going[alive]): as soon as one has ended earlier, the boolean does not match the caches
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


# %% wrong: ended_rows_wake_up | TRUE CAUSE: a row is going whenever its token is not eos: what ended earlier has padding as its token, so it counts as alive again
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


# %% wrong: gradients_and_one_too_many | TRUE CAUSE: two mistakes: torch.no_grad was left out, so gradients are recorded, and the loop goes on while the length is <= max_len, so the ids get one token too long
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)
    with CachedDecoder(model, src) as decoder:
        while ids.size(1) <= max_len and alive.any():
            log_probs = decoder.step(ids[alive])
            token = ids.new_full((ids.size(0),), model.pad_id)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.cat([ids, token[:, None]], dim=1)
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going[:, None])
            alive = going
    return ids
