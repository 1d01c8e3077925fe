# %% wrong: the_two_swapped | TRUE CAUSE: the windows are swapped: the decoder reads what it should predict and has to predict the token before
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: sentences_sliced | TRUE CAUSE: slices the rows (sentences) instead of the columns (positions), so each sentence predicts the next sentence
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: start_put_in_front_again | TRUE CAUSE: puts a second start token in front of tgt, which has one already, and keeps all of tgt as labels: (N, T) instead of (N, T - 1), and the start token is to be predicted
def shift_right(tgt):
    start = tgt[:, :1]
    decoder_input = torch.cat([start, tgt[:, :-1]], dim=1)  # shifted right by one
    labels = tgt
    return decoder_input, labels

