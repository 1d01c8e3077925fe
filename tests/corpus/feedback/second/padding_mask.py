# %% wrong: true_is_padding | TRUE CAUSE: the mask is the wrong way round: True stands at the padding (PyTorch's convention) instead of at the words
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask


# %% wrong: greater_than_pad | TRUE CAUSE: ids are compared with > instead of !=, so real tokens with ids below pad_id are hidden as well
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = torch.gt(ids, pad_id)  # (N, T)
    mask = real[:, None, None, :]  # (N, 1, 1, T)
    return mask


# %% wrong: hides_queries | TRUE CAUSE: the axes are inserted so that (N, 1, T, 1) comes out: padding is hidden as a query (row) instead of as a key (column)
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(-1)  # (N, 1, 1, T)
    return mask


# %% wrong: from_lengths | TRUE CAUSE: the mask is made from the number of real tokens as if all padding stood on the right, so padding on the left or inside is not hidden and words at the end are
def padding_mask(ids, pad_id):
    lengths = ids.ne(pad_id).sum(dim=1)
    places = torch.arange(ids.size(1), device=ids.device)
    return (places[None, :] < lengths[:, None]).view(ids.size(0), 1, 1, -1)


# %% wrong: pad_0_as_numbers | TRUE CAUSE: two mistakes: padding is always taken to be id 0 and pad_id is ignored, and the mask is made of float ones and zeros instead of booleans
def padding_mask(ids, pad_id):
    n, t = ids.shape
    real = ids.bool().float()  # 1 for words, 0 for padding
    return real.reshape(n, 1, 1, t)
