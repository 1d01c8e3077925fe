# %% wrong: windows_swapped | The two windows are swapped: the decoder reads the tokens without bos, and the labels are those without the last. Each position would have to predict the token before the one that it reads.
def shift_right(tgt):
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels
# %% wrong: shifts_the_rows | The slices are taken on the first axis, which is the sentences. That leaves out the last or the first sentence of the batch, and the tokens are not shifted at all.
def shift_right(tgt):
    decoder_input = tgt[:-1]  # (N, T - 1)
    labels = tgt[1:]  # (N, T - 1)
    return decoder_input, labels
# %% wrong: own_roll_keeps_all_columns | torch.roll turns the rows around instead of cutting them: both results keep all T columns, and at the end of each row bos comes back as a label for the last token.
def shift_right(tgt):
    comes_next = torch.roll(tgt, shifts=-1, dims=1)
    return tgt, comes_next
# %% wrong: own_columns_stacked_as_rows | The columns are stacked along dim=0, so both results are transposed: (T - 1, N) instead of (N, T - 1).
def shift_right(tgt):
    columns = tgt.unbind(dim=1)
    decoder_input = torch.stack(columns[:-1], dim=0)
    labels = torch.stack(columns[1:], dim=0)
    return decoder_input, labels
