# %% wrong: padding_is_always_zero | TRUE CAUSE: ignore_index is 0 instead of pad_id, so for another pad_id the padding counts and the real token 0 does not
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=0)
    return loss
# %% wrong: reshape_instead_of_transpose | TRUE CAUSE: F.cross_entropy wants the classes in axis 1, and reshape to (N, V, T - 1) is used where a transposition is needed, so logits of different positions and words are mixed
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1, :]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(
        predicted.reshape(ids.size(0), logits.size(2), -1), expected, ignore_index=pad_id
    )
    return loss
# %% wrong: own_mask_from_what_is_read | TRUE CAUSE: the mask asks whether the token that was read, ids[:, :-1], is padding, not the expected one, so the prediction of the first padding after <end> counts, too
def next_token_loss(logits, ids, pad_id=0):
    log_probs = logits.log_softmax(dim=-1)
    read, following = ids[:, :-1], ids[:, 1:]
    costs = -log_probs[:, :-1].gather(2, following.unsqueeze(2)).squeeze(2)
    real = read != pad_id
    return costs[real].mean()
# %% wrong: own_mean_of_means | TRUE CAUSE: the loss is averaged within each text and then over the texts, so the tokens of short texts weigh more than those of long ones, instead of one mean over all real tokens
def next_token_loss(logits, ids, pad_id=0):
    losses = []
    for scores, text in zip(logits, ids):
        target = text[1:]
        keep = target != pad_id
        if keep.any():
            losses.append(F.cross_entropy(scores[:-1][keep], target[keep]))
    return torch.stack(losses).mean()
