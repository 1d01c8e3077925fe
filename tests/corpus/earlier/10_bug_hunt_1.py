# %% wrong: order_inverted_along_the_batch | The way back reads at the inverse of order, but the inverse is taken with argsort(dim=0), over the sentences and not within each row, so the probabilities go to the wrong tokens.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order.argsort(dim=0))
# %% wrong: own_zero_put_into_the_logarithms | The tokens to drop get 0.0 as their log-probability before the softmax; that is a probability of 1, the largest, where -inf would be none.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest
    tail = torch.zeros_like(order, dtype=torch.bool).scatter(-1, order, ahead >= share)
    return log_probs.masked_fill(tail, 0.0).softmax(dim=-1)
