# %% wrong: own_zero_put_in_front | A column of zeros is put before the targets and their whole, with <bos>, is taken as labels: both have T columns, and the decoder reads a 0 and has to predict the start token.
def shift_right(tgt):
    shifted = torch.zeros_like(tgt)
    shifted[:, 1:] = tgt[:, :-1]
    return shifted, tgt

# %% wrong: own_write_into_tgt | "reads" is tgt itself and not a copy, so shifting it to the right in place changes the caller's tensor, and labels, taken from tgt afterwards, are the already shifted tokens (what is read, with bos first)
def shift_right(tgt):
    reads = tgt
    reads[:, 1:] = tgt[:, :-1].clone()
    reads = reads[:, 1:]
    labels = tgt[:, 1:]
    return reads, labels

# %% wrong: own_pairs_step_two | the (read, predict) pairs are cut with a step of 2 instead of 1, so they do not overlap: only every second token is read and only every second one predicted, T // 2 columns instead of T - 1
def shift_right(tgt):
    length = tgt.shape[1]
    reads, says = [], []
    for i in range(0, length - 1, 2):
        reads.append(tgt[:, i])
        says.append(tgt[:, i + 1])
    return torch.stack(reads, dim=1), torch.stack(says, dim=1)

# %% wrong: own_columns_stacked_as_rows | The columns are stacked along dim=0, so both results are transposed: (T - 1, N) instead of (N, T - 1).
def shift_right(tgt):
    columns = tgt.unbind(dim=1)
    decoder_input = torch.stack(columns[:-1], dim=0)
    labels = torch.stack(columns[1:], dim=0)
    return decoder_input, labels
