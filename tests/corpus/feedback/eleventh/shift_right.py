# %% wrong: windows_over_sentences | TRUE CAUSE: The slices :-1 and 1: are taken on axis 0 (sentences) instead of axis 1 (positions), so the last/first sentence is dropped and both results are (N - 1, T), with labels that belong to another sentence.
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: labels_only_last_token | TRUE CAUSE: The student thinks only the last token is to be predicted from all those before it: labels are tgt[:, -1:], of shape (N, 1), instead of tgt[:, 1:].
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, -1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: own_flattened_windows | TRUE CAUSE: The targets are flattened before the first / last N numbers are cut off, so N tokens are cut from the first / last sentence only instead of one from each, and the reshape to (N, T - 1) mixes tokens of different sentences in a row.
def shift_right(tgt):
    n, t = tgt.shape
    flat = tgt.reshape(-1)
    reads = flat[: n * (t - 1)].reshape(n, t - 1)
    predicts = flat[n:].reshape(n, t - 1)
    return reads, predicts

# %% wrong: own_hide_eos_in_place | TRUE CAUSE: The end token (2) is overwritten by padding (0) in place in decoder_input, which is a view of tgt, so the caller's tgt and the labels lose their <eos> too wherever it does not stand in the last column (and the decoder input itself is no longer the shifted target).
def shift_right(tgt):
    eos, pad = 2, 0
    length = tgt.shape[1] - 1
    decoder_input = tgt.narrow(1, 0, length)
    decoder_input[decoder_input == eos] = pad
    labels = tgt.narrow(1, 1, length)
    return decoder_input, labels
