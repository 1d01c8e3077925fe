# %% wrong: ids_above_pad_id | ids > pad_id treats the ids as if they had an order: if pad_id is not the smallest id, all real tokens with an id below it are hidden as well. It should be !=.
def padding_mask(ids, pad_id):
    real = ids > pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask
# %% wrong: axes_of_a_query_mask | The last axis is added behind T instead of before it: the mask is (N, 1, T, 1), which hides padding as a query (its row) and not as a key.
def padding_mask(ids, pad_id):
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(-1)
    return mask
# %% wrong: own_true_means_hidden | The mask is True at padding, the convention of nn.MultiheadAttention; in this course True means that a key may be seen, so it must be inverted.
def padding_mask(ids, pad_id):
    return torch.eq(ids, pad_id)[:, None, None, :]
# %% wrong: own_from_the_lengths | The number of real tokens is taken as a length and the first ones of each row as real: that is right only if all padding is at the end, but it may stand anywhere.
def padding_mask(ids, pad_id):
    lengths = ids.ne(pad_id).sum(dim=1)  # (N,)
    place = torch.arange(ids.size(1), device=ids.device)
    return (place < lengths[:, None])[:, None, None]
