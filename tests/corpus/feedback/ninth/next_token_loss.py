# %% wrong: shift_turned_round | TRUE CAUSE: the logits lose their first position and the ids their last one, so each position is compared with the token before it instead of the one after it
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, :-1]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss

# %% wrong: reshape_for_transpose | TRUE CAUSE: the vocabulary is brought to axis 1 with reshape(N, V, T - 1) instead of transpose(1, 2), which keeps the memory order and so mixes logits of different positions and tokens
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    n, t, v = predicted.shape
    loss = F.cross_entropy(predicted.reshape(n, v, t), expected, ignore_index=pad_id)
    return loss

# %% wrong: own_mean_of_text_means | TRUE CAUSE: the loss is averaged within each text first and then over the texts, so tokens of short texts weigh more than those of long ones instead of all real next tokens weighing the same
def next_token_loss(logits, ids, pad_id=0):
    per_text = []
    for row_logits, row_ids in zip(logits, ids):
        goal = row_ids[1:]
        real = goal != pad_id
        if not real.any():
            continue
        log_p = row_logits[:-1].log_softmax(dim=-1)
        picked = log_p[torch.arange(len(goal), device=goal.device), goal]
        per_text.append(-picked[real].mean())
    return torch.stack(per_text).mean()

# %% wrong: own_mask_of_what_is_read | TRUE CAUSE: the mask of real tokens is taken from ids[:, :-1] (what is read) instead of ids[:, 1:] (what is expected), so the first padding after the end of each text counts as a token to predict
def next_token_loss(logits, ids, pad_id=0):
    read, nxt = ids[:, :-1], ids[:, 1:]
    counts = (read != pad_id).float()
    log_z = torch.logsumexp(logits[:, :-1], dim=2)
    score = torch.gather(logits[:, :-1], 2, nxt[:, :, None])[:, :, 0]
    nll = log_z - score
    return (nll * counts).sum() / counts.sum()
