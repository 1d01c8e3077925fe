# %% right: narrow
def shift_right(tgt):
    length = tgt.size(1) - 1
    return tgt.narrow(1, 0, length), tgt.narrow(1, 1, length)

# %% right: ellipsis
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    last = tgt.shape[1] - 1
    reads = tgt[..., :last].clone()
    says = tgt[..., 1:].clone()
    return reads, says


# %% right: own_index_select
def shift_right(tgt):
    places = torch.arange(tgt.shape[1], device=tgt.device)
    reads = tgt.index_select(1, places[:-1])
    predicts = tgt.index_select(1, places[1:])
    return reads, predicts

# %% right: own_windows_of_columns
def shift_right(tgt):
    length = tgt.size(-1) - 1

    def window(start):
        return tgt.narrow(-1, start, length)

    return tuple(window(start) for start in (0, 1))


# %% right: tenth_own_narrow
def shift_right(tgt):
    length = tgt.shape[1] - 1
    return tgt.narrow(1, 0, length), tgt.narrow(1, 1, length)

# %% right: tenth_own_index_select
def shift_right(tgt):
    places = torch.arange(tgt.size(1) - 1, device=tgt.device)
    reads = tgt.index_select(1, places)
    says = tgt.index_select(1, places + 1)
    return reads, says


# %% right: eleventh_own_narrow
def shift_right(tgt):
    length = tgt.size(1) - 1
    reads, predicts = (tgt.narrow(1, start, length) for start in (0, 1))
    return reads, predicts

# %% right: eleventh_own_columns_stacked
def shift_right(tgt):
    columns = list(tgt.unbind(dim=1))
    before, after = [], []
    for now, following in zip(columns, columns[1:]):
        before.append(now)
        after.append(following)
    return torch.stack(before, dim=1), torch.stack(after, dim=1)


# %% right: twelfth_own_unfold_pairs
def shift_right(tgt):
    pairs = tgt.unfold(1, 2, 1)  # (N, T - 1, 2): each token with the one after it
    now, then = pairs.unbind(dim=-1)
    return now, then

# %% right: twelfth_own_narrow
def shift_right(tgt):
    steps = tgt.size(1) - 1

    def window(start):
        return tgt.narrow(1, start, steps)

    return window(0), window(1)
