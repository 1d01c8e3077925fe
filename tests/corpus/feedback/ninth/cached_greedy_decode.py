# %% wrong: stops_at_padding_not_eos | TRUE CAUSE: `going` asks whether the token is model.pad_id instead of eos_id, so a row does not end at its end token but writes on to max_len.
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

# %% wrong: keeps_the_first_rows | TRUE CAUSE: The blank `keep` numbers the rows that continue from 0 up to their count instead of saying which of the old rows they are, so after a row has ended the others take over the keys and values of the wrong rows.
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
            decoder.keep(torch.arange(int(going.sum()), device=ids.device), going[:, None])  # blank: keep
            alive = going
    return ids

# %% wrong: own_not_cut_to_length | TRUE CAUSE: The ids are written into a table of max_len columns that is returned whole, so when all rows have ended early the result has extra columns of padding.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    n = src.size(0)
    out = src.new_full((n, max_len), model.pad_id)
    out[:, 0] = bos_id
    active = torch.arange(n, device=src.device)  # numbers of the sentences still written
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for t in range(1, max_len):
            if len(active) == 0:
                break
            best = decoder.step(out[active, :t]).argmax(dim=-1)
            out[active, t] = best
            go = best != eos_id
            active = active[go]
            alive = torch.zeros(n, 1, dtype=torch.bool, device=src.device)
            alive[active] = True
            decoder.keep(go, alive)
    return out

# %% wrong: own_never_drops_a_row | TRUE CAUSE: All N rows are decoded at every step and keep is never called; what has ended is only overwritten with padding, so the ids are right but rows that have ended are still computed.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    rows = [[bos_id] for _ in range(src.size(0))]
    done = [False] * len(rows)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while len(rows[0]) < max_len and not all(done):
            ids = torch.tensor(rows, device=src.device)
            tokens = decoder.step(ids).argmax(-1).tolist()
            for i, token in enumerate(tokens):
                rows[i].append(model.pad_id if done[i] else token)
                done[i] = done[i] or token == eos_id
    return torch.tensor(rows, device=src.device, dtype=src.dtype)

