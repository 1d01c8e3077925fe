# %% wrong: reshaped_not_transposed | TRUE CAUSE: F.cross_entropy wants (N, V, T - 1), and the logits are brought to that shape with reshape, which mixes positions and tokens; a transpose (or flattening both) is needed
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T).

    The mean cross-entropy over all next tokens but padding; at least one is real.
    """
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(
        predicted.reshape(logits.size(0), logits.size(2), -1), expected, ignore_index=pad_id
    )
    return loss


# %% wrong: masked_by_what_was_read | TRUE CAUSE: a position counts if the token that it has read is real, not if the expected one is, so after each <end> predicting padding counts, too
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T)."""
    read, expected = ids[:, :-1], ids[:, 1:]
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    surprise = -log_probs.gather(2, expected.unsqueeze(2)).squeeze(2)  # (N, T - 1)
    real = read != pad_id
    return surprise[real].mean()


# %% wrong: mean_of_the_texts_means | TRUE CAUSE: each text's loss is averaged over its own tokens and then over the texts, so tokens of short texts weigh more; it should be one mean over all real tokens
def next_token_loss(logits, ids, pad_id=0):
    """Compare what a model predicts, (N, T, V), with the tokens that come next in ids, (N, T)."""
    predicted = logits[:, :-1].transpose(1, 2)  # (N, V, T - 1), as cross_entropy wants it
    expected = ids[:, 1:]
    each = F.cross_entropy(predicted, expected, ignore_index=pad_id, reduction="none")
    how_many = (expected != pad_id).sum(dim=1).clamp(min=1)
    loss = (each.sum(dim=1) / how_many).mean()
    return loss
