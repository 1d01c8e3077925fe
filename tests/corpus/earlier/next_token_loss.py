# %% wrong: own_softmax_over_the_positions | The log-softmax is taken over dim=1, the positions of a text, and not over the vocabulary.
def next_token_loss(logits, ids, pad_id=0):
    log_probs = logits[:, :-1].log_softmax(dim=1)
    right = ids[:, 1:]
    real = right.ne(pad_id)
    losses = F.nll_loss(log_probs.flatten(0, 1), right.flatten(), reduction="none")
    return losses.masked_select(real.flatten()).sum() / real.sum()
