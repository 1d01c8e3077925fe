# %% wrong: scrambled_rows | TRUE CAUSE: the vocabulary is moved to the middle (as cross_entropy likes it) and then flattened to rows of V, so the logits of different positions are mixed
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.transpose(1, 2).reshape(-1, logits.size(-1)), expected.flatten(), ignore_index=pad_id)
    return loss

# %% wrong: zero_ignored_and_smoothed | TRUE CAUSE: two mistakes: ignores token 0 whatever pad_id is, and keeps the label smoothing of lesson 09
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=0, label_smoothing=0.1)
    return loss

# %% wrong: mean_of_the_rows | TRUE CAUSE: averages within each text first and then over the texts, so each text counts alike instead of each real token
def next_token_loss(logits, ids, pad_id=0):
    predicted, expected = logits[:, :-1], ids[:, 1:]
    each = F.cross_entropy(predicted.transpose(1, 2), expected, reduction="none")  # (N, T - 1)
    real = (expected != pad_id).float()
    per_text = (each * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    return per_text.mean()

# %% wrong: padding_of_what_is_read | TRUE CAUSE: what counts is decided by the token that is read instead of the one that is expected, so the first padding after each <end> counts as an exercise
def next_token_loss(logits, ids, pad_id=0):
    read, expected = ids[:, :-1], ids[:, 1:]
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    right = log_probs.gather(2, expected.unsqueeze(2)).squeeze(2)  # (N, T - 1)
    real = read != pad_id
    loss = -right[real].mean()
    return loss

