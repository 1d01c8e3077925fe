# %% wrong: annotated-three-axes | the Annotated Transformer's unsqueeze(-2) gives (N, 1, T), without the axis for the heads: against scores of (N, H, T, T) the batch axis falls on the heads.
def padding_mask(ids, pad_id):
    return (ids != pad_id).unsqueeze(-2)

# %% wrong: valid-lengths | as in d2l the real tokens are counted and the first that many positions are taken as real: that supposes that padding stands on the right, while it may stand anywhere.
def padding_mask(ids, pad_id):
    valid_len = (ids != pad_id).sum(dim=1)
    place = torch.arange(ids.size(1), device=ids.device)
    mask = place[None, :] < valid_len[:, None]
    return mask[:, None, None, :]

# %% wrong: larger-than-padding | real tokens are taken to be those with an id greater than pad_id: wrong as soon as pad_id is not the smallest id, since ids have no order.
def padding_mask(ids, pad_id):
    real = ids > pad_id
    mask = real.unsqueeze(1).unsqueeze(2)
    return mask

# %% wrong: key-padding-convention | made as nn.Transformer wants its key_padding_mask, True where padding is: inverted, since in this course True means that a key may be seen.
def padding_mask(ids, pad_id):
    src_key_padding_mask = torch.zeros_like(ids, dtype=torch.bool)
    src_key_padding_mask[ids == pad_id] = True
    return src_key_padding_mask.view(ids.shape[0], 1, 1, ids.shape[1])

# %% right: reshaped-to-four-axes
def padding_mask(ids, pad_id):
    n, t = ids.shape
    return torch.ne(ids, pad_id).reshape(n, 1, 1, t)
