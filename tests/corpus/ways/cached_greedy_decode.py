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
