# %% wrong: windows_exchanged | TRUE CAUSE: the two windows are exchanged: the decoder reads the later one and predicts the one before
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: rows_not_columns | TRUE CAUSE: cuts off a row (a sentence) and not a column (a position)
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: copies_what_it_reads | TRUE CAUSE: the labels are the same window that is read, so the model learns to copy
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: rolled | TRUE CAUSE: rolls the labels by one and keeps all T columns: the last label of each row is <bos> again, and one column too many
def shift_right(tgt):
    labels = torch.roll(tgt, shifts=-1, dims=1)
    return tgt, labels

# %% wrong: two_ahead | TRUE CAUSE: the labels are shifted by two and not by one: each position is to predict the token after the next, and there is one column too few
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, 2:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: last_token_only | TRUE CAUSE: the labels are the last token of each row alone, as if only the end were to be predicted
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, -1:]  # (N, T - 1)
    return decoder_input, labels
