# %% wrong: swapped | Returns the two windows in each other's place: the decoder reads the sentence from its second token on, and has to predict the one that came before.
def shift_right(tgt):
    decoder_input = tgt[:, 1:]
    labels = tgt[:, :-1]
    return decoder_input, labels

# %% wrong: time-first | Cuts the first axis, as in code whose targets are (T, N). Here rows are sentences, so this takes the last or the first sentence away and shifts nothing.
def shift_right(tgt):
    src_side, wanted = tgt[:-1], tgt[1:]
    return src_side, wanted

# %% wrong: t5-keeps-all | Shifts the input to the right behind a copy of the start token and keeps the whole target as labels, as T5's code does with labels that have no start token. Here tgt begins with one, so both are (N, T) and <bos> itself has to be predicted.
def shift_right(tgt):
    shifted_input_ids = tgt.new_zeros(tgt.shape)
    shifted_input_ids[..., 1:] = tgt[..., :-1].clone()
    shifted_input_ids[..., 0] = tgt[..., 0]
    return shifted_input_ids, tgt

# %% wrong: fairseq-end-to-the-front | Moves the last token to the front and takes the target without its last token as labels, as fairseq does, whose targets lack a start token. Here <bos> is in front already, so each position reads the token before <bos> or the token before its own, and <eos> is never predicted.
def shift_right(tgt):
    prev_output_tokens = torch.cat([tgt[:, -1:], tgt[:, :-2]], dim=1)
    target = tgt[:, :-1]
    return prev_output_tokens, target

# %% wrong: two-rolled-backwards | Two mistakes. Keeps all T positions (roll instead of two windows of T - 1), so that the last label wraps around to <bos>; and rolls what is read by one to the left, so that each position reads the token that it has to predict.
def shift_right(tgt):
    following = tgt.roll(shifts=-1, dims=1)
    return following, following

# %% right: unfolded-windows
def shift_right(tgt):
    windows = tgt.unfold(1, tgt.size(1) - 1, 1)
    return windows[:, 0], windows[:, 1]

# %% right: narrowed
def shift_right(tgt):
    steps = tgt.size(-1) - 1
    return tgt.narrow(-1, 0, steps), tgt.narrow(-1, 1, steps).contiguous()
