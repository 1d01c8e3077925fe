# %% wrong: rolled_right | TRUE CAUSE: "shifted right" is taken for a rotation of tgt by one with roll, whose first column is the row's last token, while labels keep the start token and lose the last one, so that the decoder reads last, t0, t1, ... and has to predict t0, t1, t2, ...
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = torch.roll(tgt, 1, dims=1)[:, :-1]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: end_token_hidden_from_decoder | TRUE CAUSE: believes that the decoder must never read an end token, and replaces each 2 in the decoder's input by 0, where the text asks for a plain window in which the end token of shorter rows stays
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    eos, pad = 2, 0
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    decoder_input = torch.where(decoder_input == eos, pad, decoder_input)
    labels = tgt[:, 1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: own_moves_columns_in_the_batch | TRUE CAUSE: labels is a view of tgt (narrow), and the loop that moves each column one to the left writes into it, so both results are right but the caller's tgt is overwritten
def shift_right(tgt):
    n_steps = tgt.size(1) - 1
    labels = tgt.narrow(1, 0, n_steps)
    decoder_input = labels.clone()
    for t in range(n_steps):
        labels[:, t] = tgt[:, t + 1]
    return decoder_input, labels

# %% wrong: own_zero_as_start_token | TRUE CAUSE: builds the decoder's input as a row of zeros with the labels behind it, so the first token that the decoder reads is always 0 (padding) and not the start token that tgt begins with
def shift_right(tgt):
    labels = tgt[:, 1:]
    shifted = torch.zeros_like(labels)
    shifted[:, 1:] = labels[:, :-1]
    return shifted, labels
