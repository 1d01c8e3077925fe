# %% wrong: shift-tokens-right | as Hugging Face's shift_tokens_right: the input keeps its length with a start token put in front, and all of tgt are the labels: (N, T) instead of (N, T - 1), a start token twice, and the first token is to be predicted.
def shift_right(tgt):
    decoder_input = tgt.new_zeros(tgt.shape)
    decoder_input[:, 1:] = tgt[:, :-1].clone()
    decoder_input[:, 0] = tgt[:, 0]
    labels = tgt.clone()
    return decoder_input, labels

# %% wrong: time-first | the rows are cut instead of the columns, as in time-first code: the last sentence of the batch is dropped from the input and the first from the labels, and nothing is shifted in time.
def shift_right(tgt):
    decoder_input = tgt[:-1, :]
    labels = tgt[1:, :]
    return decoder_input, labels

# %% wrong: rolled-round | "shifted right" is made with torch.roll, which carries the last token (often <eos> or padding) round to the front: the decoder does not begin with <bos>, and the labels hold <bos> and lack the last token.
def shift_right(tgt):
    shifted = torch.roll(tgt, shifts=1, dims=1)
    return shifted[:, :-1], tgt[:, :-1]

# %% right: windows-of-two
def shift_right(tgt):
    pairs = tgt.unfold(1, 2, 1)
    return pairs[..., 0], pairs[..., 1]
