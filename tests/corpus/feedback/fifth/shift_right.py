# %% wrong: shifted_along_the_sentences | TRUE CAUSE: the slices go along axis 0: they leave out the last and the first sentence instead of the last and the first position
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels


# %% wrong: rolled_round | TRUE CAUSE: the rows are rolled to the right, so the last token (end or padding) comes to the front of what the decoder reads, in the place of the start token, and the start token is to be predicted
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = torch.roll(tgt, 1, dims=1)[:, :-1]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels


# %% wrong: end_token_wiped_in_place | TRUE CAUSE: the end token is replaced by padding in what the decoder reads, and since that slice is a view, tgt itself and the labels lose their end tokens, too
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    decoder_input[decoder_input == 2] = 0  # the decoder must not read <eos>
    labels = tgt[:, 1:]  # (N, T - 1)
    return decoder_input, labels


# %% wrong: labels_in_one_row | TRUE CAUSE: the labels are flattened to one axis already here, because the loss puts all positions one after another
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt[:, 1:].flatten()  # (N, T - 1)
    return decoder_input, labels
