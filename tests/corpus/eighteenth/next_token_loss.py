# %% wrong: not-shifted | Each position is compared with the token that was read there, logits (N, T) with ids (N, T), without the shift by one. The logits at position t have to be compared with the token at t + 1.
def next_token_loss(logits, ids, pad_id=0):
    log_probs = logits.log_softmax(dim=-1)
    of_right = log_probs.gather(dim=2, index=ids.unsqueeze(2)).squeeze(2)
    real = ids != pad_id
    return -of_right[real].mean()

# %% wrong: hf-ignores-minus-100 | The cross-entropy leaves out its default, -100, and not pad_id: next tokens that are padding count, and the model is trained to predict it. ignore_index=pad_id is missing.
def next_token_loss(logits, ids, pad_id=0):
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = ids[..., 1:].contiguous()
    loss_fct = nn.CrossEntropyLoss()
    return loss_fct(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1))

# %% wrong: transposed-then-flattened | The logits are transposed to (N, V, T - 1), as cross_entropy wants them with the classes on axis 1, and then also reshaped to (-1, V). The shape fits, but a row holds numbers of several positions and tokens, so they are compared with the wrong labels: either transpose or flatten.
def next_token_loss(logits, ids, pad_id=0):
    vocab_size = logits.size(-1)
    predicted = logits[:, :-1].transpose(1, 2)
    expected = ids[:, 1:]
    loss = F.cross_entropy(
        predicted.reshape(-1, vocab_size), expected.reshape(-1), ignore_index=pad_id
    )
    return loss

# %% wrong: d2l-mean-over-all | The losses at padding are set to 0, but the mean is taken over all N * (T - 1) positions, as in d2l's masked loss, so the result gets the smaller the more padding there is. It has to be divided by the number of real next tokens.
def next_token_loss(logits, ids, pad_id=0):
    pred, label = logits[:, :-1], ids[:, 1:]
    weights = (label != pad_id).to(logits.dtype)
    unweighted_loss = F.cross_entropy(pred.permute(0, 2, 1), label, reduction="none")
    weighted_loss = (unweighted_loss * weights).mean(dim=1)
    return weighted_loss.mean()

# %% wrong: real-where-it-reads | Whether a position counts is decided by the token that is read there and not by the token that comes next. So the last <end> of a text counts with the padding after it as its label. The mask has to be made from the expected tokens.
def next_token_loss(logits, ids, pad_id=0):
    reads, expected = ids[:, :-1], ids[:, 1:]
    real = reads.ne(pad_id)
    predicted = logits[:, :-1][real]
    return F.nll_loss(F.log_softmax(predicted, dim=-1), expected[real])

# %% right: logsumexp-of-the-real
def next_token_loss(logits, ids, pad_id=0):
    following = ids.roll(-1, dims=1)
    counts = following != pad_id
    counts[:, -1] = False
    scores, right = logits[counts], following[counts]
    of_right = scores.take_along_dim(right[:, None], dim=1)[:, 0]
    return (scores.logsumexp(dim=1) - of_right).mean()
