# %% wrong: gather_left | TRUE CAUSE: Mended halfway: what lies ahead no longer counts the token itself, but the result is still sent back by gather with order, which is not the inverse of the sorting.
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

# %% wrong: above_for_at_least | TRUE CAUSE: The way back is mended (scatter), but the first bug only seemingly: >= was turned into > while the sum still counts the token itself, so the token that reaches the share is dropped.
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

# %% wrong: rolled_sum | TRUE CAUSE: The sum is moved on by one with roll, but its first place is not set to 0: it gets the whole sum of 1, so the likeliest token is always dropped.
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability."""
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order.argsort(dim=-1))
