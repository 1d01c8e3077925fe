# %% wrong: softmax_before_cross_entropy | TRUE CAUSE: the predicted blank turns the logits into probabilities with softmax, and F.cross_entropy takes a softmax once more, so the loss is that of squashed predictions (it can never come near 0).
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1].softmax(dim=-1)  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.transpose(1, 2), expected, ignore_index=pad_id)
    return loss

# %% wrong: sum_divided_by_all_positions | TRUE CAUSE: the sum over the real next tokens is divided by expected.numel(), which counts padding too, so the loss is too small as soon as a batch holds padding.
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1, :]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(
        predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id, reduction="none"
    ).sum() / expected.numel()
    return loss

# %% wrong: own_mean_of_the_means | TRUE CAUSE: the loop takes the mean of each text by itself and then the mean of these means, so tokens of short texts weigh more than those of long texts instead of all real next tokens weighing the same.
def next_token_loss(logits, ids, pad_id=0):
    losses = []
    for scores, text in zip(logits, ids):
        log_p = scores.log_softmax(dim=-1)[:-1]
        target = text[1:]
        real = target != pad_id
        if real.any():
            picked = log_p[real, target[real]]
            losses.append(-picked.mean())
    return torch.stack(losses).mean()

# %% wrong: own_mask_of_the_token_read | TRUE CAUSE: the weight of an exercise is taken from the token read (ids[:, :-1] != pad_id) instead of the token expected (ids[:, 1:]), so in each padded text the prediction of the first <pad> after <end> is counted, too.
def next_token_loss(logits, ids, pad_id=0):
    read, target = ids[:, :-1], ids[:, 1:]
    log_probs = torch.log_softmax(logits[:, :-1], dim=-1)
    nll = -log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
    counts = (read != pad_id).to(nll.dtype)
    return (nll * counts).sum() / counts.sum()
