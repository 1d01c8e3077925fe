# %% wrong: ends_at_padding_too | TRUE CAUSE: `going` also asks that the token is not pad_id, so a row whose likeliest token is padding ends there, where greedy_decode goes on
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step."""
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id) & (token != model.pad_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids

# %% wrong: keeps_the_first_rows | TRUE CAUSE: keep gets the numbers 0 to R-1 of the new rows instead of the old rows that go on, so after a row has ended the rows behind it get the cache of another row
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step."""
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(torch.arange(going.sum().item(), device=ids.device), going.unsqueeze(1))
            alive = going
    return ids

# %% wrong: own_padded_to_max_len | TRUE CAUSE: the result is made max_len wide at the start and returned whole, so after all rows have ended it has columns of padding that greedy_decode does not write
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    n = src.size(0)
    out = src.new_full((n, max_len), model.pad_id)
    out[:, 0] = bos_id
    active = torch.arange(n, device=src.device)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for t in range(1, max_len):
            best = decoder.step(out[active, :t]).argmax(-1)
            out[active, t] = best
            stay = best != eos_id
            active = active[stay]
            if len(active) == 0:
                break
            where = torch.zeros(n, 1, dtype=torch.bool, device=src.device)
            where[active] = True
            decoder.keep(stay, where)
    return out

# %% wrong: own_ended_rows_computed | TRUE CAUSE: decoder.step gets all rows at each step and nothing calls keep, so rows that have ended are still computed; only their tokens are replaced by padding
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = src.new_full((len(src), 1), bos_id)
    done = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    with torch.no_grad():
        with CachedDecoder(model, src) as decoder:
            while ids.shape[1] < max_len and not done.all():
                scores = decoder.step(ids)
                nxt = torch.where(done, model.pad_id, scores.argmax(dim=1))
                ids = torch.cat((ids, nxt[:, None]), dim=1)
                done |= nxt == eos_id
    return ids
