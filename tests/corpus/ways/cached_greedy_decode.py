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
