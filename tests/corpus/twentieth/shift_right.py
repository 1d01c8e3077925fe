# %% wrong: labels-not-shifted | Does not shift the labels: they are the same tokens that the decoder reads, so it only has to copy each of them; the labels are those from the second on, tgt[:, 1:].
def shift_right(tgt):
    decoder_input = tgt[:, :-1]
    labels = tgt[:, :-1]
    return decoder_input, labels

# %% wrong: time-first-slices | Cuts the first axis, as tutorials with time-first targets (T, N) do; here rows are sentences, so it drops the last or first sentence instead of a token and pairs each sentence with the next one.
def shift_right(tgt):
    tgt_input = tgt[:-1, :]
    tgt_out = tgt[1:, :]
    return tgt_input, tgt_out

# %% wrong: bart-full-length | Does as Hugging Face's shift_tokens_right: keeps all T tokens as labels and pushes a start token in front of the input; the target here has its start token already, so both are one too long, and the decoder reads <bos> twice and has to predict <bos>.
def shift_right(tgt):
    shifted_input_ids = tgt.new_zeros(tgt.shape)
    shifted_input_ids[:, 1:] = tgt[:, :-1].clone()
    shifted_input_ids[:, 0] = tgt[:, 0]
    return shifted_input_ids, tgt

# %% wrong: rolled-the-wrong-way | Rolls the tokens in the wrong direction: roll(1) brings the token before, so each position has to predict the one that it has already seen (and the first the last of the sentence), not the one that comes next.
def shift_right(tgt):
    length = tgt.size(1) - 1
    following = torch.roll(tgt, shifts=1, dims=1)
    reads, predicts = (tokens[:, :length] for tokens in (tgt, following))
    return reads, predicts

# %% right: narrow
def shift_right(tgt):
    length = tgt.size(1) - 1
    return tgt.narrow(1, 0, length), tgt.narrow(1, 1, length)
