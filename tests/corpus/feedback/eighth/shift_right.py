# %% wrong: windows_swapped | TRUE CAUSE: the two windows are swapped: the decoder reads everything after the first token and has to predict the token before it
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels


# %% wrong: labels_rolled | TRUE CAUSE: the labels are the target rolled by one without dropping a column, so they are as long as the target and the start token comes last in them
def shift_right(tgt):
    decoder_input = tgt[:, :-1]
    labels = torch.roll(tgt, shifts=-1, dims=1)
    return decoder_input, labels


# %% wrong: shifted_along_sentences | TRUE CAUSE: the windows are cut along axis 0, so a sentence is dropped instead of a position
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels
