# %% wrong: padding_counts | F.cross_entropy is called without ignore_index, and pad_id is not used, so expected padding counts in the mean like real tokens.
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, :-1]  # (N, T - 1, V)
    expected = ids[:, 1:]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten())
    return loss
# %% wrong: shifted_the_wrong_way | predicted leaves out the first position and expected the last token, so each position is compared with the token before it, not with the next one.
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, :-1]  # (N, T - 1)
    loss = F.cross_entropy(predicted.transpose(1, 2), expected, ignore_index=pad_id)
    return loss
# %% wrong: own_mean_of_text_means | Each text's mean is taken first, then the mean over texts. A token of a short text weighs more than one of a long text; the mean should go over all real next tokens alike.
def next_token_loss(logits, ids, pad_id=0):
    expected = ids[:, 1:]
    real = expected != pad_id
    each = F.cross_entropy(logits[:, :-1].transpose(1, 2), expected, reduction="none")  # (N, T-1)
    per_text = torch.where(real, each, 0.0).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    return per_text[real.any(dim=1)].mean()
# %% wrong: own_mask_of_what_is_read | The positions that count are those whose own token is real (ids[:, :-1]), not those whose next token is. So the last real token's position counts, where padding is expected.
def next_token_loss(logits, ids, pad_id=0):
    read, following = ids[:, :-1], ids[:, 1:]
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    surprise = -log_probs.gather(2, following.unsqueeze(2)).squeeze(2)  # (N, T - 1)
    return surprise[read != pad_id].mean()
