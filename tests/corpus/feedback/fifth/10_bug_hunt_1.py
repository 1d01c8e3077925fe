# %% wrong: only_the_comparison_changed | TRUE CAUSE: the way back is repaired, but `ahead` still includes the token itself; only >= was made >, so the token that crosses the share is still dropped
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


# %% wrong: places_sorted_downwards | TRUE CAUSE: `ahead` is repaired, but the way back sorts the places downwards, so the result is in the wrong (reversed) order
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


# %% wrong: sum_rolled_round | TRUE CAUSE: `ahead` is the running sum rolled by one place, so the sum of everything (1) comes before the first token, and the likeliest token of each row is dropped
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability."""
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)
    kept = likeliest * (ahead < share)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong: left_in_sorted_order | TRUE CAUSE: `ahead` is repaired, but the last line just returns the sorted rows, so the probabilities do not stand at their tokens' places
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    together = likeliest.cumsum(dim=-1)
    ahead = together - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    return kept / kept.sum(dim=-1, keepdim=True)
