# %% wrong: ends_at_padding | the line of going asks for padding instead of eos_id, so a row that has said eos_id goes on writing
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
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
# %% wrong: own_not_cut_to_length | the whole table of max_len columns is returned, with columns of nothing but padding, instead of only the columns up to the step at which the last row ended
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
