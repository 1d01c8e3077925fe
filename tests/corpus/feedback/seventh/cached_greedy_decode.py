# %% wrong: rows_of_all_sentences | TRUE CAUSE: keep gets going for all N sentences as rows, but the caches hold only the R rows that were alive: it should be going[alive]; right only until the first row has ended
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


# %% wrong: padding_ends_a_row | TRUE CAUSE: going is told from the token alone, neither eos nor padding, without alive; so a row whose model says padding before its eos ends, where greedy_decode goes on
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
            token[alive] = log_probs.argmax(dim=1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = (token != eos_id) & (token != model.pad_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids


# %% wrong: max_len_new_tokens | TRUE CAUSE: the loop adds up to max_len tokens to bos, so the result may have max_len + 1; max_len counts bos, too
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step."""
    ids = torch.full_like(src[:, :1], bos_id)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len):
            if not alive.any():
                break
            likeliest = decoder.step(ids[alive]).argmax(dim=-1)  # (R,)
            token = torch.full_like(ids[:, 0], model.pad_id)
            token[alive] = likeliest
            ids = torch.cat([ids, token[:, None]], dim=1)
            decoder.keep(likeliest != eos_id, (alive & (token != eos_id))[:, None])
            alive = alive & (token != eos_id)
    return ids
