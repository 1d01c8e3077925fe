# %% wrong: windows_swapped | TRUE CAUSE: The two windows are exchanged, so the decoder reads the tokens from position 1 on and has to predict the token before each one.
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: cuts_sentences_not_positions | TRUE CAUSE: The slices are taken along axis 0, the sentences, instead of axis 1, the positions, so one sentence is lost and each sentence is paired with the next one.
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: own_loop_stops_early | TRUE CAUSE: range(1, steps - 1) leaves out the last position, so both results have T - 2 columns and the last token of the longest sentences (eos) is never predicted.
def shift_right(tgt):
    steps = tgt.shape[1]
    reads, says = [], []
    for t in range(1, steps - 1):
        reads.append(tgt[:, t - 1])
        says.append(tgt[:, t])
    return torch.stack(reads, dim=1), torch.stack(says, dim=1)

# %% wrong: own_shifts_in_place | TRUE CAUSE: labels = tgt is no copy, so moving the columns left in place also changes decoder_input, a view of the same memory (it equals the labels), and the caller's tgt.
def shift_right(tgt):
    decoder_input = tgt[:, :-1]
    labels = tgt
    for t in range(tgt.size(1) - 1):
        labels[:, t] = tgt[:, t + 1]
    return decoder_input, labels[:, :-1]
