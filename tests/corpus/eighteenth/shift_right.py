# %% wrong: labels-not-shifted | The labels are cut at the end like the decoder's input, as if the loss or the model shifted them later: both are tgt[:, :-1], so each position has to predict the token that it reads. The labels have to begin one token later, tgt[:, 1:].
def shift_right(tgt):
    steps = tgt.size(1) - 1
    decoder_input = tgt.narrow(1, 0, steps)
    labels = decoder_input.clone()
    return decoder_input, labels

# %% wrong: time-first-slices | The slices are taken along axis 0, as in PyTorch's translation tutorial, whose targets are time first, (T, N). Here rows are sentences, (N, T): it drops the last and the first sentence instead of the last and the first token, and pairs each sentence with the next one.
def shift_right(tgt):
    tgt_input = tgt[:-1, :]
    tgt_out = tgt[1:, :]
    return tgt_input, tgt_out

# %% wrong: start-token-twice | Written like Hugging Face's shift_tokens_right, which puts a start token in front of labels that have none. tgt already begins with its start token, so the decoder reads it twice, both results keep all T tokens instead of T - 1, and the first label is the start token (each position predicts the token that it should be reading).
def shift_right(tgt):
    shifted_input_ids = tgt.new_zeros(tgt.shape)
    shifted_input_ids[:, 1:] = tgt[:, :-1].clone()
    shifted_input_ids[:, 0] = tgt[:, 0]
    return shifted_input_ids, tgt

# %% wrong: exchanged | The two results are exchanged: the decoder is given the tokens from the second on (the ones to be predicted) and has to predict those that begin with the start token, so it learns to predict the token before instead of the next one. The input is all but the last token, the labels all but the first.
def shift_right(tgt):
    columns = tgt.unbind(dim=1)
    first_to_last, second_on = columns[:-1], columns[1:]
    decoder_input = torch.stack(second_on, dim=1)
    labels = torch.stack(first_to_last, dim=1)
    return decoder_input, labels

# %% right: index-select
def shift_right(tgt):
    place = torch.arange(tgt.size(1) - 1, device=tgt.device)
    return tgt.index_select(1, place), tgt.index_select(1, place + 1)
