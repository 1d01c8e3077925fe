# %% wrong: device-forgotten | Asks for the causal mask without ids.device, so it lies on the CPU: with ids on another device the two cannot be combined; the text says that both parts have to be where ids are.
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1))
    return mask

# %% wrong: de-morgan | Negates wrongly: hides a key only where it is padding and in the future, instead of where it is one or the other, so the mask allows what either of the two allows.
def target_mask(ids, pad_id):
    is_padding = ~padding_mask(ids, pad_id)
    is_future = ~causal_mask(ids.size(1), ids.device)
    hidden = torch.logical_and(is_padding, is_future)
    return torch.logical_not(hidden)

# %% wrong: padding-along-the-queries | Lays the padding along the axis of the queries, unsqueeze(1).unsqueeze(3), as in a widely copied repository: rows of padding are hidden as a whole, but its columns stay visible wherever the causal mask allows them, for instance with padding on the left.
def target_mask(ids, pad_id):
    trg_len = ids.shape[1]
    trg_pad_mask = (ids != pad_id).unsqueeze(1).unsqueeze(3)
    trg_sub_mask = torch.tril(torch.ones(trg_len, trg_len, device=ids.device)).bool()
    return trg_pad_mask & trg_sub_mask

# %% wrong: annotated-three-axes | Gives the padding mask only three axes, (N, 1, T), as the Annotated Transformer does; broadcast from the right against the causal mask (1, 1, T, T) this makes (1, N, T, T), the sentences on the axis of the heads.
def target_mask(ids, pad_id):
    tgt_mask = (ids != pad_id).unsqueeze(-2)
    tgt_mask = tgt_mask & causal_mask(ids.size(-1), ids.device)
    return tgt_mask

# %% wrong: padding-queries-hidden-too | Hides padding as a query as well as as a key, so the rows of padding see nothing; the mask hides keys only, and in the lesson's table the row of the padding may look at the real tokens before it.
def target_mask(ids, pad_id):
    real = ids.ne(pad_id)
    pairs = real.unsqueeze(2) & real.unsqueeze(1)
    return pairs.tril().unsqueeze(1)

# %% right: triangle-of-the-padding-mask
def target_mask(ids, pad_id):
    length = ids.size(1)
    keys = padding_mask(ids, pad_id).expand(-1, -1, length, -1)
    return torch.tril(keys)
