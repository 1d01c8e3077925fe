# %% wrong: undone_by_descending_argsort | TRUE CAUSE: the sum of likelier tokens is mended, but the result is put back with order.argsort(descending=True), which is the inverse order turned round (it should be ascending), so the kept probabilities land at wrong tokens
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
# %% wrong: ahead_without_the_first_only | TRUE CAUSE: ahead subtracts the probability of the likeliest token from every cumulative sum instead of each token's own, so it is too small from the second token on wherever the others are less likely, and too many tokens are kept
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest[:, :1]  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)
# %% wrong: own_rolled_mask_drops_the_likeliest | TRUE CAUSE: the mask of what is dropped is moved one place by roll, which brings the last token's flag (True) round to the first place, and the first flag is never set to False again, so the likeliest token is dropped in every row
def nucleus(log_probs, share):
    probs = log_probs.exp()
    order = probs.argsort(dim=-1, descending=True)
    running = probs.gather(-1, order).cumsum(dim=-1)
    drop = running >= share
    drop = drop.roll(1, dims=-1)  # the token that reaches the share stays
    drop = torch.zeros_like(drop).scatter(-1, order, drop)
    probs = probs.masked_fill(drop, 0)
    return probs / probs.sum(dim=-1, keepdim=True)
# %% wrong: own_exp_in_place | TRUE CAUSE: log_probs.exp_() turns the caller's tensor itself into probabilities, so the result is right but the log-probabilities that were given are overwritten
def nucleus(log_probs, share):
    p = log_probs.exp_()
    result = torch.zeros_like(p)
    for row, out in zip(p, result):
        values, places = row.sort(descending=True)
        needed = int((values.cumsum(0) < share).sum()) + 1
        chosen = places[:needed]
        out[chosen] = row[chosen] / row[chosen].sum()
    return result
