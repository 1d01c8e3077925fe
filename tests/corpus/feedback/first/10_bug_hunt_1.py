# %% wrong: only_the_order | TRUE CAUSE: the order is mended with scatter, but ahead still includes the token itself (>= was only made >), so the token that reaches the share is dropped
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead > share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: only_ahead | TRUE CAUSE: ahead is mended, but the result is still gathered by order instead of scattered, so probabilities land on the wrong tokens unless the order is its own inverse
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order)

# %% wrong: rolled | TRUE CAUSE: the order is mended, but ahead is moved by one with roll, which wraps the last sum (1) round to the first place, so the likeliest token is dropped
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    back = order.argsort(dim=-1)
    return kept.gather(-1, back)
