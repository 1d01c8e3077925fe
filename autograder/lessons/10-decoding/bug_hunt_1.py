def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)
