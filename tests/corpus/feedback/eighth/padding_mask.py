# %% wrong: hides_queries_not_keys | TRUE CAUSE: the axes of size 1 are put so that the mask is (N, 1, T, 1): it hides the rows (queries) of padding, and every key may be looked at.
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(3)  # (N, 1, 1, T)
    return mask


# %% wrong: padding_only_on_the_right | TRUE CAUSE: only the number of real tokens is counted and the first so many columns are kept, which assumes that padding stands on the right.
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)  # (N, 1)
    real = torch.arange(ids.size(1), device=ids.device) < lengths  # (N, T)
    mask = real[:, None, None, :]
    return mask


# %% wrong: padding_rows_hidden_too | TRUE CAUSE: padding is hidden as a query as well as a key: the mask is the (N, 1, T, T) product of real rows and real columns, although padding's own rows may look and the mask should be (N, 1, 1, T).
def padding_mask(ids, pad_id):
    real = ids != pad_id
    query_ok = real.unsqueeze(1).unsqueeze(-1)
    key_ok = real.unsqueeze(1).unsqueeze(2)
    return query_ok & key_ok
