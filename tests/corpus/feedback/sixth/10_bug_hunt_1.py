# %% wrong: only_scatter_and_a_strict_sign | TRUE CAUSE: ahead still contains the token's own probability: only >= was changed into >, so the token that reaches the share is still dropped (scatter is repaired)
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


# %% wrong: rolled_without_a_zero | TRUE CAUSE: the running sum is moved by one place with roll, but the first place then holds the total of the row (1) and not 0, so the likeliest token itself is cut off
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)


# %% wrong: scaled_with_softmax | TRUE CAUSE: what is kept is scaled with a softmax over the probabilities instead of divided by its sum: dropped tokens get exp(0), so more than 0, and the ratios are wrong (both bugs are repaired)
def nucleus(log_probs, share):
    probs, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = probs.cumsum(dim=-1) - probs
    kept = torch.where(ahead < share, probs, torch.zeros_like(probs))
    kept = kept.softmax(dim=-1)
    result = torch.zeros_like(log_probs)
    result.scatter_(-1, order, kept)
    return result
