# %% wrong: predicts_the_one_before | TRUE CAUSE: the shift goes the wrong way: logits from position 1 on are compared with the ids before them
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, :-1]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss


# %% wrong: padding_counts | TRUE CAUSE: padding is not ignored: it counts as expected tokens like all others
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.transpose(1, 2), expected)
    return loss


# %% wrong: mean_of_means | TRUE CAUSE: takes the mean of each text first and then the mean of the texts, so tokens of short texts weigh more than those of long ones
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T)."""
    predicted = logits[:, :-1].log_softmax(dim=-1)  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    right = predicted.gather(2, expected.unsqueeze(2)).squeeze(2)  # (N, T - 1)
    real = expected != pad_id
    of_text = -(right * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    loss = of_text.mean()
    return loss
