# %% wrong: shifted_the_other_way | TRUE CAUSE: logits and ids are cut at the wrong ends: each position is compared with the token before it, not with the next one
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, :-1]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss


# %% wrong: mean_of_the_texts_means | TRUE CAUSE: the loss is averaged within each text first and then over the texts, so a token of a short text counts more, instead of one mean over all real tokens
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, :-1].log_softmax(dim=-1)
    expected = ids[:, 1:]
    real = (expected != pad_id).float()
    surprise = -predicted.gather(2, expected.unsqueeze(2)).squeeze(2)
    per_text = (surprise * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    return per_text.mean()


# %% wrong: softmax_before_cross_entropy | TRUE CAUSE: F.cross_entropy is given probabilities (softmax first), although it takes logits and applies the log-softmax itself
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1].softmax(dim=-1)  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.transpose(1, 2), expected, ignore_index=pad_id)
    return loss
