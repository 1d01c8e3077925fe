# %% wrong: reshape_instead_of_transpose | TRUE CAUSE: predicted is brought to (N, V, T - 1) by reshape instead of transpose, so the logits are mixed across positions and words
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(
        predicted.reshape(predicted.size(0), predicted.size(2), predicted.size(1)),
        expected,
        ignore_index=pad_id,
    )
    return loss
# %% wrong: divided_by_all_real_tokens | TRUE CAUSE: the sum is divided by the number of real tokens in ids, which includes each text's first token that nobody predicts, so the mean is too small
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1, :]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(
        predicted.transpose(1, 2), expected, ignore_index=pad_id, reduction="sum"
    ) / (ids != pad_id).sum()
    return loss
# %% wrong: own_mean_of_means | TRUE CAUSE: the loss is averaged within each text first and then over the texts, so tokens of short texts weigh more than those of long ones
def next_token_loss(logits, ids, pad_id=0):
    losses = []
    for scores, row in zip(logits, ids):
        goal = row[1:]
        real = goal != pad_id
        if real.any():
            losses.append(F.cross_entropy(scores[:-1][real], goal[real]))
    return torch.stack(losses).mean()
# %% wrong: own_mask_of_what_is_read | TRUE CAUSE: the mask of what counts is made from the tokens that are read (ids[:, :-1]) instead of those expected (ids[:, 1:]), so the prediction of the first padding after each text counts, too
def next_token_loss(logits, ids, pad_id=0):
    read, following = ids[:, :-1], ids[:, 1:]
    log_p = logits[:, :-1].log_softmax(dim=-1)
    picked = log_p.gather(-1, following.unsqueeze(-1)).squeeze(-1)
    real = (read != pad_id).to(picked.dtype)
    return -(picked * real).sum() / real.sum()
