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
