# %% right: ne_and_index
def padding_mask(ids, pad_id):
    return ids.ne(pad_id)[:, None, None, :]

# %% right: not_equal_reshaped
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    n, t = ids.shape
    padding = torch.eq(ids, pad_id)
    return torch.logical_not(padding).reshape(n, 1, 1, t)


# %% right: own_logical_not
def padding_mask(ids, pad_id):
    is_padding = torch.eq(ids, pad_id)
    return torch.logical_not(is_padding)[:, None, None, :]

# %% right: own_start_all_true_then_hide
def padding_mask(ids, pad_id):
    n, t = ids.shape
    visible = torch.ones(n, 1, 1, t, dtype=torch.bool, device=ids.device)
    hidden = (ids == pad_id).reshape(n, 1, 1, t)
    return visible.masked_fill(hidden, False)


# %% right: tenth_own_row_by_row
def padding_mask(ids, pad_id):
    count, length = ids.shape
    out = torch.zeros(count, 1, 1, length, dtype=torch.bool, device=ids.device)
    for n in range(count):
        out[n, 0, 0] = ids[n] != pad_id
    return out

# %% right: tenth_own_fill_where_pad
def padding_mask(ids, pad_id):
    everything = torch.ones_like(ids, dtype=torch.bool)
    return everything.masked_fill(ids.eq(pad_id), False)[:, None, None, :]


# %% right: eleventh_own_loop_over_sentences
def padding_mask(ids, pad_id):
    count, length = ids.shape
    visible = torch.ones(count, 1, 1, length, dtype=torch.bool, device=ids.device)
    for n in range(count):
        visible[n, 0, 0] = ids[n].ne(pad_id)
    return visible

# %% right: eleventh_own_not_equal_indexed
def padding_mask(ids, pad_id):
    return torch.logical_not(torch.eq(ids[:, None, None, :], pad_id))


# %% right: twelfth_own_none_index
def padding_mask(ids, pad_id):
    is_padding = torch.eq(ids, pad_id)
    return torch.logical_not(is_padding)[:, None, None, :]
# %% right: twelfth_own_fill_sentence_by_sentence
def padding_mask(ids, pad_id):
    n, t = ids.shape
    allowed = torch.ones((n, 1, 1, t), dtype=torch.bool, device=ids.device)
    for i in range(n):
        allowed[i, 0, 0].masked_fill_(ids[i] == pad_id, False)
    return allowed
