# %% wrong: ends_at_padding | TRUE CAUSE: a row goes on unless it said padding (model.pad_id) and not unless it said EOS, so rows do not end at EOS
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

# %% wrong: filled_with_eos | TRUE CAUSE: what has ended continues with eos_id and not with padding, since token is filled with eos_id
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], eos_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids

# %% wrong: own_eval_at_the_top | TRUE CAUSE: model.eval() is called before CachedDecoder, which then takes eval for the mode that the model was in, so a model in train mode is left in eval mode
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    N = src.size(0)
    ids = src.new_full((N, 1), bos_id)
    places = torch.arange(N, device=src.device)
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            said = decoder.step(ids[places]).argmax(dim=-1)
            column = src.new_full((N, 1), model.pad_id)
            column[places, 0] = said
            ids = torch.cat([ids, column], dim=1)
            goes_on = said != eos_id
            places = places[goes_on]
            if len(places) == 0:
                break
            alive = torch.zeros(N, 1, dtype=torch.bool, device=src.device)
            alive[places] = True
            decoder.keep(goes_on, alive)
    return ids

# %% wrong: own_drops_the_eos | TRUE CAUSE: the token of a row that has just said EOS is replaced by padding before it is written, so EOS is missing in the ids that are returned
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
                still = going & (token != eos_id)
                token = torch.where(still, token, model.pad_id)
                out.append(token)
                rows = still[going].nonzero().flatten()
                decoder.keep(rows, still[:, None])
                going = still
    return torch.stack(out, dim=1)
