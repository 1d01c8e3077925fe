# %% wrong: swapped | TRUE CAUSE: the two windows are exchanged, so what has to be said is returned as what is read and the other way round
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: not_shifted | TRUE CAUSE: the labels are the same window as the input, without the last token but not moved by one, so the model has to say what it just read
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: rows_cut | TRUE CAUSE: the cut is made along axis 0, so sentences are dropped instead of positions
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    decoder_input = tgt.narrow(0, 0, len(tgt) - 1)  # (N, T - 1)
    labels = tgt.narrow(0, 1, len(tgt) - 1)  # (N, T - 1)
    return decoder_input, labels

# %% wrong: second_bos | TRUE CAUSE: tgt is taken as the labels and another bos is put in front of it for the input, although tgt begins with bos already, so the model has to say bos first and both are T long
def shift_right(tgt):
    bos = tgt[:, :1]
    shifted = tgt.new_zeros(tgt.shape)
    shifted[:, 1:] = tgt[:, :-1].clone()
    shifted[:, :1] = bos
    return shifted, tgt

# %% wrong: last_only | TRUE CAUSE: the slice of the labels is -1: instead of 1:, so only the last token of each row is a label
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    decoder_input = tgt[..., slice(None, -1)]  # (N, T - 1)
    labels = tgt[..., slice(-1, None)]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: no_eos_label | TRUE CAUSE: the labels leave out the last token as well as bos, so they are one too short and eos is never to be said
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    n, t = tgt.shape
    reads, says = [], []
    for row in tgt:
        reads.append(row[: t - 1])
        says.append(row[1 : t - 1])
    return torch.stack(reads), torch.stack(says)

# %% wrong: eos_blanked | TRUE CAUSE: two mistakes: the eos tokens (hard-coded as id 2) are replaced by 0 in the decoder's input, and this is done in place on a view, so that tgt and the labels lose their eos too
def shift_right(tgt):
    decoder_input, labels = tgt[:, :-1], tgt[:, 1:]
    # the decoder must never read <eos>
    decoder_input[decoder_input == 2] = 0
    return decoder_input, labels

# %% wrong: typo | TRUE CAUSE: the name returned is misspelled (decoder_inputs for decoder_input), so the call is a NameError
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to say next."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, 1:]  # (N, T - 1)
    return decoder_inputs, labels
