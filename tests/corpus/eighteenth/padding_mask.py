# %% wrong: pytorch-convention | The mask is True where the padding is, the convention of nn.MultiheadAttention's key_padding_mask; in this course True means "may be seen", so it hides all real tokens and shows the padding. It should be != pad_id.
def padding_mask(ids, pad_id):
    src_key_padding_mask = ids == pad_id
    return src_key_padding_mask[:, None, None, :]

# %% wrong: above-pad | Real tokens are taken to be those with an id larger than pad_id, as if ids had an order and pad_id were always the smallest (0); every token with an id below pad_id is hidden. ids are names without an order: it should be !=.
def padding_mask(ids, pad_id):
    batch, length = ids.shape
    real = torch.gt(ids, pad_id)
    return real.reshape(batch, 1, 1, length)

# %% wrong: valid-length | The real tokens are only counted, and the first that many positions are shown, as with d2l's valid lengths; that supposes all padding at the right end, but padding may stand anywhere. With padding on the left it hides real tokens and shows padding.
def padding_mask(ids, pad_id):
    valid_len = (ids != pad_id).sum(dim=1)
    positions = torch.arange(ids.size(1), device=ids.device)
    mask = positions[None, :] < valid_len[:, None]
    return mask[:, None, None, :]

# %% wrong: three-axes | unsqueeze(-2) alone gives (N, 1, T), the shape that the Annotated Transformer's code starts from (its attention adds the head axis later). Beside scores (N, H, T_q, T_k) it aligns from the right, so the sentences come to lie on the axis of the heads; it should be (N, 1, 1, T).
def padding_mask(ids, pad_id):
    src_mask = (ids != pad_id).unsqueeze(-2)
    return src_mask

# %% wrong: hides-rows | The mask lies along the queries, (N, 1, T, 1), and not along the keys, (N, 1, 1, T): it hides everything from the queries that are padding, and shows the padding to all others.
def padding_mask(ids, pad_id):
    batch, length = ids.shape
    mask = torch.zeros(batch, 1, length, 1, dtype=torch.bool, device=ids.device)
    for sentence in range(batch):
        mask[sentence, 0, :, 0] = ids[sentence] != pad_id
    return mask

# %% right: indexed-with-none
def padding_mask(ids, pad_id):
    return ids[:, None, None].ne(pad_id)
