# %% wrong: ends_at_padding | TRUE CAUSE: a row goes on until it writes padding instead of until it writes eos_id, so nothing ends at <eos>
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
            going = alive & (token != model.pad_id)
            decoder.keep(going[alive], going.unsqueeze(1))  # blank: keep
            alive = going
    return ids

# %% wrong: old_alive_for_the_table | TRUE CAUSE: the right rows are kept, but the caches are told the old alive instead of going, so the table of the memory has more places than there are rows once one has ended
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
            decoder.keep(going[alive], alive.unsqueeze(1))  # blank: keep
            alive = going
    return ids

# %% wrong: ended_rows_computed_on | TRUE CAUSE: nothing is ever dropped: every row, ended ones too, is decoded at each step and keep is never called; the ids are right, but what has ended is still computed
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and not ended.all():
            token = decoder.step(ids).argmax(dim=-1)
            token = token.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    return ids

# %% wrong: one_too_long_and_eos_filled | TRUE CAUSE: two mistakes: max_len new tokens are written behind bos_id, one too many in all, and ended rows are filled up with eos_id instead of padding
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones(src.size(0), dtype=torch.bool, device=src.device)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            token = torch.full_like(ids[:, 0], eos_id)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids

