# %% wrong: padding_rows_hidden_too | TRUE CAUSE: the padding mask is applied to queries as well as to keys (the added `real.transpose(-2, -1)`), so the rows of padding are all False, though padding should be hidden as a key only.
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    real = padding_mask(ids, pad_id)
    mask = real & real.transpose(-2, -1) & causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask

# %% wrong: last_token_cut_off | TRUE CAUSE: the last token is dropped inside (`ids[:, :-1]` and `ids.size(1) - 1`), as training does with its batch before it calls, so the mask is (N, 1, T-1, T-1) instead of (N, 1, T, T).
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    given = ids[:, :-1]
    mask = padding_mask(given, pad_id) & causal_mask(ids.size(1) - 1, ids.device)  # (N, 1, T, T); blank: both
    return mask

# %% wrong: own_stops_at_first_padding | TRUE CAUSE: the loop over the keys ends at the first padding token (`break` instead of going on with the next key), so with padding on the left or in the middle the real tokens after it are hidden too.
def target_mask(ids, pad_id):
    rows = ids.tolist()
    n, t = ids.shape
    allowed = torch.zeros(n, 1, t, t, dtype=torch.bool, device=ids.device)
    for s, row in enumerate(rows):
        for query in range(t):
            for key in range(query + 1):
                if row[key] == pad_id:
                    break
                allowed[s, 0, query, key] = True
    return allowed

# %% wrong: own_one_triangle_for_all | TRUE CAUSE: `[causal_mask(...)] * len(ids)` puts one and the same tensor into the list N times, and each sentence's padding is written into it in place, so every sentence gets the padding of all sentences hidden.
def target_mask(ids, pad_id):
    triangles = [causal_mask(ids.size(1), ids.device)] * len(ids)
    for triangle, sentence in zip(triangles, ids):
        triangle[..., sentence == pad_id] = False
    return torch.cat(triangles, dim=0)
