# %% wrong: either-of-them | Adding two boolean masks is a logical OR: a key may be seen where either of the masks allows it, so earlier padding and later real tokens are seen. Both have to allow it: & (or a product).
def target_mask(ids, pad_id):
    padding = padding_mask(ids, pad_id)
    future = causal_mask(ids.size(1), ids.device)
    mask = padding + future
    return mask

# %% wrong: three-axes-and-four | The padding mask is made by hand as (N, 1, T), as in the Annotated Transformer, and combined with this course's causal mask (1, 1, T, T): aligned from the right, the result is (1, N, T, T), with the sentences on the axis of the heads, instead of (N, 1, T, T).
def target_mask(ids, pad_id):
    tgt_mask = (ids != pad_id).unsqueeze(-2)
    tgt_mask = tgt_mask & causal_mask(ids.size(-1), ids.device)
    return tgt_mask

# %% wrong: padding-rows | The padding mask lies along the queries, (N, 1, T, 1), as in a much-copied implementation, and not along the keys: the rows of padding see nothing, but the padding as a key is not hidden from the other queries (on the left it is seen by all real tokens).
def target_mask(ids, pad_id):
    trg_len = ids.shape[1]
    trg_pad_mask = (ids != pad_id).unsqueeze(1).unsqueeze(3)
    trg_sub_mask = torch.tril(torch.ones(trg_len, trg_len, device=ids.device)).bool()
    return trg_pad_mask & trg_sub_mask

# %% wrong: mask-on-cpu | causal_mask is called without the device of ids and so makes its mask on the CPU, while the padding mask is where ids are; on a GPU (or any other device) the two cannot be combined. The lesson: both parts have to be on that device.
def target_mask(ids, pad_id):
    masks = padding_mask(ids, pad_id), causal_mask(ids.size(1))
    return torch.logical_and(*masks)

# %% right: expanded-triangle
def target_mask(ids, pad_id):
    batch, length = ids.shape
    visible = padding_mask(ids, pad_id).expand(batch, 1, length, length)
    return visible.tril()
