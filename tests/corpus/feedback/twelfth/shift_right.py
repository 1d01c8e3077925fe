# %% wrong: roll_wrong_direction | TRUE CAUSE: labels are taken with roll(1), which moves tokens to the right instead of to the left, so that after dropping column 0 the labels equal tgt[:, :-1], the very tokens that the decoder reads
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = tgt.roll(1, dims=1)[:, 1:]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: windows_exchanged | TRUE CAUSE: the two windows are exchanged: the decoder reads tgt[:, 1:] (without bos) and has to predict tgt[:, :-1], so each position predicts the token before instead of the one after
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: own_write_into_tgt | TRUE CAUSE: "reads" is tgt itself and not a copy, so shifting it to the right in place changes the caller's tensor, and labels, taken from tgt afterwards, are the already shifted tokens (what is read, with bos first)
def shift_right(tgt):
    reads = tgt
    reads[:, 1:] = tgt[:, :-1].clone()
    reads = reads[:, 1:]
    labels = tgt[:, 1:]
    return reads, labels

# %% wrong: own_pairs_step_two | TRUE CAUSE: the (read, predict) pairs are cut with a step of 2 instead of 1, so they do not overlap: only every second token is read and only every second one predicted, T // 2 columns instead of T - 1
def shift_right(tgt):
    length = tgt.shape[1]
    reads, says = [], []
    for i in range(0, length - 1, 2):
        reads.append(tgt[:, i])
        says.append(tgt[:, i + 1])
    return torch.stack(reads, dim=1), torch.stack(says, dim=1)
