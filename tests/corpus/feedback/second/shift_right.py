# %% wrong: windows_swapped | TRUE CAUSE: The two windows are swapped: the decoder reads what it should say, and has to say what comes before.
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: rolled_and_cut | TRUE CAUSE: The labels are moved twice, once by roll and once by the slice, so each label is the token after next and the last one is <bos>.
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    decoder_input = tgt.narrow(1, 0, tgt.size(1) - 1)  # (N, T - 1)
    labels = torch.roll(tgt, shifts=-1, dims=1)[:, 1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: rows_for_positions | TRUE CAUSE: The wrong axis is cut: the last and the first sentence are dropped instead of the last and the first position.
def shift_right(tgt):
    decoder_input, labels = tgt[:-1], tgt[1:]
    return decoder_input, labels

# %% wrong: eos_blanked_in_place | TRUE CAUSE: Two mistakes: <eos> is taken out of the decoder's input by writing padding over it in a view, which changes the caller's tgt (and the labels) in place; and the ids 2 and 0 are hard-coded there.
def shift_right(tgt):
    """The decoder never has to read <eos>, so it is blanked out."""
    decoder_input = tgt[:, :-1]
    decoder_input[decoder_input == 2] = 0
    labels = tgt[:, 1:]
    return decoder_input, labels
