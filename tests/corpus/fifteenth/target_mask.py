# %% wrong: padding-on-the-query-axis | padding is put on the axis of the queries, (N, 1, T, 1), as in hyunwoongko's trg mask: rows of padding are emptied, and padding stays visible as a key.
def target_mask(ids, pad_id):
    trg_pad_mask = (ids != pad_id).unsqueeze(1).unsqueeze(3)
    trg_len = ids.shape[1]
    trg_sub_mask = torch.tril(torch.ones(trg_len, trg_len, device=ids.device)).bool()
    trg_mask = trg_pad_mask & trg_sub_mask
    return trg_mask

# %% wrong: either-of-both | the masks are joined with "or": a key may be seen if one of the two allows it, so real future tokens and earlier padding are visible.
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: triangle-without-device | the causal part is made without a device, on the CPU, whatever device ids are on: joining both fails on a GPU.
def target_mask(ids, pad_id):
    tgt_mask = padding_mask(ids, pad_id)
    tgt_mask = tgt_mask & causal_mask(ids.size(-1))
    return tgt_mask

# %% wrong: nothing-after-the-first-padding | a running product hides everything from the first padding token on: with padding on the left or in the middle the real tokens after it are hidden, too.
def target_mask(ids, pad_id):
    real = (ids != pad_id).long().cumprod(dim=1).bool()
    n, t = ids.shape
    keys = real[:, None, None, :].expand(n, 1, t, t)
    return keys.tril()

# %% right: one-triangle-of-the-keys
def target_mask(ids, pad_id):
    batch, length = ids.shape
    keys = ids.ne(pad_id).unsqueeze(1).repeat(1, length, 1)
    step = torch.arange(length, device=ids.device)
    keys = keys.masked_fill(step.unsqueeze(0) > step.unsqueeze(1), False)
    return keys.unsqueeze(1)
