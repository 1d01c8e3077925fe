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
