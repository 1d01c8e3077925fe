# %% wrong: rows_of_all_sentences | TRUE CAUSE: keep gets the rows counted among all N sentences (going) instead of among the R that were alive, which does not fit the caches once a row has ended (crash).
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
            decoder.keep(going, going.unsqueeze(1))
            alive = going
    return ids

# %% wrong: ended_rows_revived | TRUE CAUSE: going looks at the newest token only, not at alive, so a row that has ended comes alive again as soon as it has got its padding.
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
            token[alive] = log_probs.topk(1).indices.squeeze(-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = torch.ne(token, eos_id)
            decoder.keep(going[alive].nonzero().flatten(), going[:, None])
            alive = going
    return ids

# %% wrong: ended_rows_computed | TRUE CAUSE: Rows that have ended are never let go of: all rows go through the decoder at each step, and their tokens are only replaced by padding afterwards.
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = src.new_full((src.size(0), 1), bos_id)
    ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    with CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and not ended.all():
            token = decoder.step(ids).argmax(dim=-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    return ids

# %% wrong: gradients_and_one_token_more | TRUE CAUSE: Two mistakes: it runs without torch.no_grad, so everything is recorded for gradients; and the loop makes max_len new tokens behind <bos>, so the result may be max_len + 1 long.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """Greedy decoding, one position a step."""
    n = src.size(0)
    ids = torch.full((n, 1), bos_id, dtype=src.dtype, device=src.device)
    alive = torch.ones(n, dtype=torch.bool, device=src.device)
    with CachedDecoder(model, src) as decoder:
        for _ in range(max_len):
            if not alive.any():
                break
            likeliest = decoder.step(ids[alive]).argmax(dim=-1)
            column = ids.new_full((n,), model.pad_id)
            column[alive] = likeliest
            ids = torch.cat([ids, column[:, None]], dim=1)
            goes_on = likeliest != eos_id  # (R,)
            now = alive.clone()
            now[alive] = goes_on
            decoder.keep(goes_on, now[:, None])
            alive = now
    return ids
