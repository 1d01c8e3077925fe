# %% wrong: first_pad_ends_row | TRUE CAUSE: the student assumes that padding stands only on the right, so the cumprod in `real` hides every token after the first padding too, and a row that is padded on the left comes out all False
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = (ids != pad_id).long().cumprod(dim=1).bool()  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: axes_in_front_of_batch | TRUE CAUSE: both new axes are put in front of the batch (unsqueeze(0) twice), so the shape is (1, 1, N, T) and the sentences of the batch stand on the axis of the queries
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(0).unsqueeze(0)  # (N, 1, 1, T)
    return mask

# %% wrong: own_pairs_of_real_tokens | TRUE CAUSE: the student hides padding as a query too, by combining `real` as row and as column, which gives a (N, 1, T, T) mask whose padding rows are all False instead of a (N, 1, 1, T) mask on the keys only
def padding_mask(ids, pad_id):
    n, t = ids.shape
    real = ids.ne(pad_id)
    rows = real.reshape(n, 1, t, 1)
    columns = real.reshape(n, 1, 1, t)
    return rows & columns

# %% wrong: own_write_through_view | TRUE CAUSE: `table` is a view of ids and is overwritten in place with 0 and 1, so the returned mask is right but the caller's ids are destroyed
def padding_mask(ids, pad_id):
    table = ids[:, None, None, :]
    filling = table == pad_id
    table[filling] = 0
    table[~filling] = 1
    return table.bool()
