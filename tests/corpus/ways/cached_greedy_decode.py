# %% right: rows_as_numbers
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
            token[alive] = log_probs.topk(1).indices.squeeze(1)  # blank: said
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive.logical_and(token.ne(eos_id))
            decoder.keep(going[alive].nonzero().squeeze(1), going.view(-1, 1))  # blank: keep
            alive = going
    return ids

# %% right: places_of_the_living
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    batch = src.size(0)
    ids = src.new_full((batch, 1), bos_id)
    living = torch.arange(batch, device=src.device)  # the sentence of each row
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if living.numel() == 0:
                break
            said = decoder.step(ids[living]).argmax(dim=-1)  # (R,)
            column = src.new_full((batch, 1), model.pad_id)
            column[living, 0] = said
            ids = torch.cat([ids, column], dim=1)
            goes_on = said != eos_id
            living = living[goes_on]
            places = torch.zeros(batch, 1, dtype=torch.bool, device=src.device)
            places[living] = True
            decoder.keep(goes_on, places)
    return ids


# %% right: own_table_and_numbers
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    count = src.size(0)
    table = src.new_full((count, max(max_len, 1)), model.pad_id)
    table[:, 0] = bos_id
    writing = torch.arange(count, device=src.device)  # which sentence each row writes
    length = 1
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while length < max_len and len(writing) > 0:
            said = decoder.step(table[writing, :length]).argmax(dim=-1)
            table[writing, length] = said
            length += 1
            rows = (said != eos_id).nonzero().flatten()
            writing = writing[rows]
            alive = torch.zeros(count, 1, dtype=torch.bool, device=src.device)
            alive[writing] = True
            decoder.keep(rows, alive)
    return table[:, :length]

# %% right: own_columns_in_a_list
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    columns = [torch.full_like(src[:, 0], bos_id)]
    alive = torch.full((len(src), 1), True, device=src.device)  # (N, 1), as keep wants it
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if not bool(alive.any()):
                break
            here = alive[:, 0]
            best = decoder.step(torch.stack(columns, dim=1)[here]).max(dim=1).indices
            column = torch.full_like(columns[0], model.pad_id).masked_scatter(here, best)
            columns.append(column)
            alive = alive & (column != eos_id)[:, None]
            decoder.keep(best != eos_id, alive)
    return torch.stack(columns, dim=1)


# %% right: tenth_own_lists_of_tokens
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    texts = [[bos_id] for _ in range(src.size(0))]
    open_rows = list(range(src.size(0)))
    length = 1
    with CachedDecoder(model, src) as decoder:
        while open_rows and length < max_len:
            ids = torch.tensor([texts[i] for i in open_rows], dtype=src.dtype, device=src.device)
            said = decoder.step(ids).argmax(dim=-1).tolist()
            for i, token in zip(open_rows, said):
                texts[i].append(token)
            stay = [r for r, token in enumerate(said) if token != eos_id]
            open_rows = [open_rows[r] for r in stay]
            length += 1
            alive = torch.zeros(src.size(0), 1, dtype=torch.bool, device=src.device)
            alive[open_rows] = True
            rows = torch.tensor(stay, dtype=torch.long, device=src.device)
            decoder.keep(rows, alive)
    padded = [text + [model.pad_id] * (length - len(text)) for text in texts]
    return torch.tensor(padded, dtype=src.dtype, device=src.device).view(src.size(0), length)

# %% right: tenth_own_numbers_of_active_rows
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    n, width = src.size(0), max(max_len, 1)
    out = src.new_full((n, width), model.pad_id)
    out[:, 0] = bos_id
    active = torch.arange(n, device=src.device)
    t = 1
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while t < max_len and active.numel() > 0:
            best = decoder.step(out[active, :t]).argmax(-1)
            out[active, t] = best
            stay = (best != eos_id).nonzero().squeeze(1)
            active = active[stay]
            where = torch.zeros(n, 1, dtype=torch.bool, device=src.device)
            where[active] = True
            decoder.keep(stay, where)
            t += 1
    return out[:, :t]


# %% right: eleventh_own_numbers_of_places
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    N = src.size(0)
    ids = src.new_full((N, 1), bos_id)
    places = torch.arange(N, device=src.device)
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if len(places) == 0:
                break
            said = decoder.step(ids[places]).argmax(dim=-1)
            column = src.new_full((N, 1), model.pad_id)
            column[places, 0] = said
            ids = torch.cat([ids, column], dim=1)
            goes_on = said != eos_id
            places = places[goes_on]
            alive = torch.zeros(N, 1, dtype=torch.bool, device=src.device)
            alive[places] = True
            decoder.keep(goes_on, alive)
    return ids

# %% right: eleventh_own_list_of_columns
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """Greedy decoding with a cache."""
    batch = src.size(0)
    out = [src.new_full((batch,), bos_id)]
    going = torch.full((batch,), True, device=src.device)
    with torch.no_grad():
        with CachedDecoder(model, src) as decoder:
            while len(out) < max_len and bool(going.any()):
                so_far = torch.stack(out, dim=1)
                best = decoder.step(so_far[going]).max(dim=-1).indices
                token = src.new_full((batch,), model.pad_id).masked_scatter(going, best)
                out.append(token)
                still = going & (token != eos_id)
                rows = still[going].nonzero().flatten()
                decoder.keep(rows, still[:, None])
                going = still
    return torch.stack(out, dim=1)


# %% right: twelfth_own_numbers_of_sentences
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    n = src.size(0)
    out = src.new_full((n, max(max_len, 1)), model.pad_id)
    out[:, 0] = bos_id
    live = torch.arange(n, device=src.device)  # the sentences that are still written
    t = 1
    with torch.no_grad(), CachedDecoder(model, src) as dec:
        while t < max_len and len(live) > 0:
            best = dec.step(out[live, :t]).argmax(-1)
            out[live, t] = best
            rows = (best != eos_id).nonzero().squeeze(1)
            live = live[rows]
            places = torch.zeros(n, 1, dtype=torch.bool, device=src.device)
            places[live] = True
            dec.keep(rows, places)
            t += 1
    return out[:, :t]

# %% right: twelfth_own_columns_in_a_list
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    columns = [src.new_full((src.size(0),), bos_id)]
    running = torch.full((src.shape[0],), True, device=src.device)
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if not running.any():
                break
            so_far = torch.stack(columns, dim=1)
            said = decoder.step(so_far[running]).max(dim=1).indices
            columns.append(torch.full_like(columns[0], model.pad_id).masked_scatter(running, said))
            still = said != eos_id
            running = running.masked_scatter(running, still)
            decoder.keep(still, running[:, None])
    return torch.stack(columns, dim=1)
