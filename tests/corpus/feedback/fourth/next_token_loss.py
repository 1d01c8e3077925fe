# %% wrong: not_shifted | TRUE CAUSE: the logits lose their first position, not their last, so each position is compared with the token that it has just read
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss

# %% wrong: shifted_backwards | TRUE CAUSE: the shift goes the wrong way: each position is compared with the token before the one that it read
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, :-1]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss

# %% wrong: padding_counts | TRUE CAUSE: padding is not left out, so the mean is over all next tokens
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten())
    return loss

# %% wrong: padding_is_token_0 | TRUE CAUSE: ignores token 0 whatever pad_id is
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.transpose(1, 2), expected, ignore_index=0)
    return loss

# %% wrong: softmax_twice | TRUE CAUSE: takes the softmax of the logits before F.cross_entropy, which takes it again
def next_token_loss(logits, ids, pad_id=0):
    probabilities = logits[:, :-1].softmax(dim=-1)
    expected = ids[:, 1:]
    vocab_size = logits.size(-1)
    return F.cross_entropy(
        probabilities.reshape(-1, vocab_size), expected.reshape(-1), ignore_index=pad_id
    )

# %% wrong: mean_of_the_texts_means | TRUE CAUSE: the mean is taken in each text first and then over the texts, so tokens of short texts weigh more than those of long ones
def next_token_loss(logits, ids, pad_id=0):
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    expected = ids[:, 1:]
    real = (expected != pad_id).float()
    surprise = -log_probs.gather(2, expected.unsqueeze(2)).squeeze(2)  # (N, T - 1)
    of_each_text = (surprise * real).sum(dim=1) / real.sum(dim=1)
    return of_each_text.mean()

# %% wrong: divided_by_all_and_wrong_padding | TRUE CAUSE: two mistakes: padding is looked for in the tokens that were read, not in those that come next, and the sum is divided by the number of all positions
def next_token_loss(logits, ids, pad_id=0):
    read, expected = ids[:, :-1], ids[:, 1:]
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    surprise = -log_probs.gather(-1, expected[..., None])[..., 0]
    surprise = surprise.masked_fill(read == pad_id, 0.0)
    return surprise.mean()
