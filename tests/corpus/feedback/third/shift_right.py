# %% wrong: windows_swapped | TRUE CAUSE: the two windows are swapped: the decoder reads what it should predict, and predicts what it should read
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels


# %% wrong: labels_are_what_is_read | TRUE CAUSE: both windows leave out the last column, so the labels are not shifted and the model learns to copy what it has just read
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels


# %% wrong: rows_not_columns | TRUE CAUSE: sliced along the first axis: sentences are dropped and shifted against one another instead of positions
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels


# %% wrong: reads_all_of_tgt | TRUE CAUSE: the decoder is given the whole target including its last token, so it has one position more than there are labels
def shift_right(tgt):
    # the mask hides the future, so the decoder may read everything
    return tgt, tgt[:, 1:]


# %% wrong: another_bos_in_front | TRUE CAUSE: misread "(shifted right)" as putting one more start token in front, although tgt begins with <bos> already; so <bos> stands twice in what is read and is itself among the labels
def shift_right(tgt):
    bos = tgt[:, :1]
    decoder_input = torch.cat([bos, tgt[:, :-1]], dim=1)
    labels = tgt
    return decoder_input, labels


# %% wrong: rolled_labels | TRUE CAUSE: two mistakes: labels are rolled around, so the first token comes back as the last label, and nothing is cut off, so both results keep T columns instead of T - 1
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt.clone()
    labels = torch.roll(tgt, shifts=-1, dims=1)
    return decoder_input, labels
