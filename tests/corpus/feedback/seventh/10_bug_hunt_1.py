# %% wrong: strict_comparison_only | TRUE CAUSE: >= was made > instead of taking each token's own probability out of what is ahead of it, so the token that reaches the share is still dropped
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

# %% wrong: roll_brings_the_end_to_the_front | TRUE CAUSE: the sums are moved one place with roll, which puts the last sum, 1, in front of the likeliest token (where 0 belongs), so the likeliest token is dropped
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    result = torch.zeros_like(kept)
    result.scatter_(-1, order, kept)
    return result

# %% wrong: scaled_by_sum_of_all_rows | TRUE CAUSE: what is kept is divided by the sum over all rows instead of each row's own, so with more than one row no row sums to 1
def nucleus(log_probs, share):
    probs = log_probs.exp()
    result = torch.zeros_like(probs)
    for row in range(probs.size(0)):
        values, order = probs[row].sort(descending=True)
        count = int((values.cumsum(dim=0) < share).sum()) + 1
        result[row, order[:count]] = values[:count]
    return result / result.sum()
