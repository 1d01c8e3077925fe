# %% wrong: not_shifted | TRUE CAUSE: No shift: each position is compared with the token that it has just read.
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits  # (N, T - 1, V)
    expected = ids  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss


# %% wrong: shifted_backwards | TRUE CAUSE: Shifted in the wrong direction: the logits at position 1 are compared with token 0.
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, :-1]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss


# %% wrong: padding_counts | TRUE CAUSE: pad_id is not passed to the cross-entropy, so padding counts as something to predict.
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten())
    return loss


# %% wrong: reshaped_not_transposed | TRUE CAUSE: The vocabulary is brought to the second axis by a reshape instead of a transpose: the numbers of different positions and tokens are mixed.
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(
        predicted.reshape(ids.size(0), -1, ids.size(1) - 1), expected, ignore_index=pad_id
    )
    return loss


# %% wrong: padding_by_what_is_read | TRUE CAUSE: Leaves out positions that READ padding (ids[:, :-1]) instead of those that should predict it: the padding after each last real token still counts.
def next_token_loss(logits, ids, pad_id=0):
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    picked = log_probs.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    real = ids[:, :-1] != pad_id
    return -picked[real].mean()


# %% wrong: mean_over_everything | TRUE CAUSE: Sets the loss of padding to 0, but divides by all positions instead of by those that count.
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, :-1].flatten(0, 1)
    expected = ids[:, 1:].flatten()
    each = F.cross_entropy(predicted, expected, reduction="none")
    return (each * (expected != pad_id)).mean()


# %% wrong: mean_of_the_texts | TRUE CAUSE: Averages each text first and then the texts: short texts weigh as much as long ones, instead of each token as much as any other.
def next_token_loss(logits, ids, pad_id=0):
    """The mean cross-entropy over all next tokens but padding."""
    predicted, expected = logits[:, :-1], ids[:, 1:]
    each = F.cross_entropy(predicted.transpose(1, 2), expected, reduction="none")  # (N, T - 1)
    real = expected != pad_id
    of_texts = (each * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    return of_texts.mean()


# %% wrong: softmax_and_pad_zero | TRUE CAUSE: two mistakes: the softmax is taken before F.cross_entropy, which takes it itself, and 0 is ignored whatever pad_id is.
def next_token_loss(logits, ids, pad_id=0):
    vocab_size = logits.size(-1)
    predicted = logits[:, :-1].softmax(dim=-1).reshape(-1, vocab_size)
    expected = ids[:, 1:].reshape(-1)
    return F.cross_entropy(predicted, expected, ignore_index=0)
