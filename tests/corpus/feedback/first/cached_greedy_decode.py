# %% wrong: ended_come_back | TRUE CAUSE: what goes on is only asked of the newest token, so rows that ended earlier (whose token is padding, not eos) are taken for living again
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
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = token != eos_id
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids

# %% wrong: keep_with_one | TRUE CAUSE: keep is called without alive, so it raises a TypeError
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
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going[alive])
            alive = going
    return ids

# %% wrong: ends_with_padding | TRUE CAUSE: a row is taken to have ended when it writes padding instead of eos_id
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
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != model.pad_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids

# %% wrong: rows_of_all | TRUE CAUSE: the rows to keep are numbered among all sentences instead of among those that the caches still hold, which is wrong as soon as an earlier row has ended
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
            token[alive] = log_probs.topk(1, dim=-1).indices[:, 0]
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going.nonzero().flatten(), going[:, None])
            alive = going
    return ids

# %% wrong: until_the_first_ends | TRUE CAUSE: the loop stops as soon as one row has ended (all instead of any)
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.shape[1] < max_len and alive.all():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.max(dim=1).indices
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = torch.logical_and(alive, token.ne(eos_id))
            decoder.keep(rows=going[alive].nonzero()[:, 0], alive=going[:, None])
            alive = going
    return ids

# %% wrong: computes_the_ended | TRUE CAUSE: rows that have ended stay in the decoder and are computed on at every step; only their tokens are replaced by padding
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    N = src.size(0)
    ids = torch.full((N, 1), bos_id, dtype=src.dtype, device=src.device)
    done = torch.zeros(N, dtype=torch.bool, device=src.device)
    with torch.no_grad():
        with CachedDecoder(model, src) as decoder:
            for _ in range(max_len - 1):
                if bool(done.all()):
                    break
                token = decoder.step(ids).argmax(-1)
                token = token.masked_fill(done, model.pad_id)
                ids = torch.cat([ids, token[:, None]], dim=1)
                done = done | (token == eos_id)
    return ids

# %% wrong: cache_made_anew | TRUE CAUSE: a new CachedDecoder is made for every token, so the cache is empty each time (only the newest position is seen) and the source is encoded again
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = src.new_full((src.size(0), 1), bos_id)
    alive = src.new_ones(src.size(0), dtype=torch.bool)

    @torch.no_grad()
    def next_tokens(rows):
        with CachedDecoder(model, src[alive]) as decoder:
            return decoder.step(rows).argmax(dim=-1)

    while alive.any() and ids.size(1) < max_len:
        token = torch.full_like(ids[:, 0], model.pad_id)
        token[alive] = next_tokens(ids[alive])
        ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
        alive = alive & (token != eos_id)
    return ids

# %% wrong: eos_for_padding_and_one_more | TRUE CAUSE: two mistakes: rows that have ended are filled with eos_id instead of padding; and the loop goes on up to a length of max_len + 1
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    written = [torch.full_like(src[:, 0], bos_id)]
    alive = torch.ones_like(src[:, 0]).bool()
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len):
            if not alive.any():
                break
            so_far = torch.stack(written, dim=1)
            token = torch.full_like(written[0], eos_id)
            token[alive] = decoder.step(so_far[alive]).argmax(dim=-1)
            written.append(token)
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return torch.stack(written, dim=1)
