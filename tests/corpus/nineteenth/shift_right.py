# %% wrong: wrong-axis | Shifts along the first axis, as code for time-first tensors does; here rows are sentences and columns positions, so it drops the first and the last sentence instead of a token of each.
def shift_right(tgt):
    decoder_input = tgt[:-1]
    labels = tgt[1:]
    return decoder_input, labels

# %% wrong: labels-not-shifted | Both results are the same window, tgt without its last token: the labels are not shifted, so the model is asked for the token that it reads at that position and learns to copy. The labels begin one token later.
def shift_right(tgt):
    decoder_input = tgt[:, :-1]
    labels = decoder_input.clone()
    return decoder_input, labels

# %% wrong: start-token-put-in-front | Takes the targets for bare labels, as T5's code does, and puts the start token in front once more: the decoder reads <bos> twice, it has to predict <bos> at position 0, and both have T positions, not T - 1. The targets bring their <bos>, so both are only windows of tgt.
def shift_right(tgt):
    shifted = tgt.new_zeros(tgt.shape)
    shifted[:, 1:] = tgt[:, :-1].clone()
    shifted[:, 0] = tgt[:, 0]
    return shifted, tgt

# %% wrong: swapped-pair | The two are returned in each other's place: the decoder reads the later window, without <bos>, and has to predict the token before; it has to read all but the last and predict all but the first.
def shift_right(tgt):
    length = tgt.size(1) - 1
    later, earlier = tgt.narrow(1, 1, length), tgt.narrow(1, 0, length)
    return later, earlier

# %% right: rolled
def shift_right(tgt):
    following = tgt.roll(-1, dims=1)  # each token's successor; the last column wraps around
    return tgt[..., :-1], following[..., :-1]
