# %% wrong: only_scatter_repaired | TRUE CAUSE: only the way back is repaired (scatter); what stands ahead of a token still includes the token itself, so the one that reaches the share is dropped
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong: only_ahead_repaired | TRUE CAUSE: only the sum ahead is repaired; gather still reads where it should write, so the probabilities go to the wrong tokens
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order)


# %% wrong: greater_instead | TRUE CAUSE: tried to keep the token that reaches the share by > in place of >=, but the running sum still includes the token itself; scatter is right
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead > share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong: order_of_the_order | TRUE CAUSE: the way back is sought with a sort of the places, but a descending one, so the row comes back reversed
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order.argsort(dim=-1, descending=True))


# %% wrong: rolled_sum | TRUE CAUSE: the running sum is moved on by one with roll, so the first token gets the sum of all, 1, and the likeliest token is always dropped
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong: scaled_by_share | TRUE CAUSE: what is kept is divided by the share that was asked for instead of by what was really kept, so rows sum to more than 1
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability."""
    probs, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = probs.cumsum(dim=-1) - probs
    kept = torch.where(ahead < share, probs, 0.0) / share
    return torch.zeros_like(probs).scatter_(-1, order, kept)


# %% wrong: ascending_and_not_scaled | TRUE CAUSE: two mistakes: sorted in ascending order, so the unlikeliest tokens are kept, and the rows are not scaled up to sum to 1
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1)
    ahead = likeliest.cumsum(dim=-1) - likeliest
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    return torch.zeros_like(kept).scatter(-1, order, kept)
