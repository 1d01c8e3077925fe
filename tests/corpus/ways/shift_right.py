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
