# %% wrong: keeps_the_first_rows | TRUE CAUSE: the blank keep gives the numbers 0 to count - 1 as rows, the first ones, instead of those rows that go on: after a row ends, the others read the cache of another sentence
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
            decoder.keep(torch.arange(int(going.sum()), device=src.device), going.unsqueeze(1))
            alive = going
    return ids

# %% wrong: ends_at_padding | TRUE CAUSE: the line of going asks for padding instead of eos_id, so a row that has said eos_id goes on writing
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

# %% wrong: own_filled_with_eos | TRUE CAUSE: the places after the end of a row are filled with eos_id (the table starts full of it) instead of with model.pad_id
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    n = src.size(0)
    out = src.new_full((n, max(max_len, 1)), eos_id)
    out[:, 0] = bos_id
    live = torch.arange(n, device=src.device)  # the sentences that are still written
    t = 1
    with torch.no_grad(), CachedDecoder(model, src) as dec:
        while t < max_len and len(live) > 0:
            best = dec.step(out[live, :t]).argmax(-1)
            out[live, t] = best
            goes_on = best != eos_id
            live = live[goes_on]
            places = torch.zeros(n, 1, dtype=torch.bool, device=src.device)
            places[live] = True
            dec.keep(goes_on, places)
            t += 1
    return out[:, :t]

# %% wrong: own_not_cut_to_length | TRUE CAUSE: the whole table of max_len columns is returned, with columns of nothing but padding, instead of only the columns up to the step at which the last row ended
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    written = torch.full((src.shape[0], max_len), model.pad_id, dtype=src.dtype, device=src.device)
    written[:, 0] = bos_id
    running = torch.full((src.shape[0],), True, device=src.device)
    with CachedDecoder(model, src) as decoder:
        for pos in range(1, max_len):
            if not running.any():
                break
            said = decoder.step(written[running, :pos]).max(dim=1).indices
            written[running, pos] = said
            still = said != eos_id
            running = running.masked_scatter(running, still)
            decoder.keep(still, running[:, None])
    return written
