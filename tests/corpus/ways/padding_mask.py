# %% right: twelfth_own_fill_sentence_by_sentence
def padding_mask(ids, pad_id):
    n, t = ids.shape
    allowed = torch.ones((n, 1, 1, t), dtype=torch.bool, device=ids.device)
    for i in range(n):
        allowed[i, 0, 0].masked_fill_(ids[i] == pad_id, False)
    return allowed
# %% right: fourteenth_own_row_by_row
def padding_mask(ids, pad_id):
    n, t = ids.shape
    rows = [torch.logical_not(sentence == pad_id) for sentence in ids]
    return torch.stack(rows).view(n, 1, 1, t)
# %% right: tenth_own_fill_where_pad
def padding_mask(ids, pad_id):
    everything = torch.ones_like(ids, dtype=torch.bool)
    return everything.masked_fill(ids.eq(pad_id), False)[:, None, None, :]
