# %% wrong: greater_for_greater_equal | TRUE CAUSE: ahead still contains the token itself; only >= was changed to >, so the token that crosses the share is still dropped
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


# %% wrong: inverse_order_scattered | TRUE CAUSE: ahead is repaired, but the way back is turned round twice: scatter with the inverted order is the same as gather with the order
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    back = order.argsort(dim=-1)
    return torch.zeros_like(kept).scatter(-1, back, kept)


# %% wrong: softmax_rescale_and_one_more | TRUE CAUSE: two mistakes: what is kept is scaled with a softmax, which gives the dropped tokens a share again and changes the proportions, and a token is kept although the likelier ones already have exactly the share (> instead of >=)
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = F.pad(likeliest.cumsum(dim=-1)[:, :-1], (1, 0))
    kept = likeliest.masked_fill(ahead > share, 0.0)
    kept = kept.softmax(dim=-1)
    result = torch.zeros_like(kept)
    return result.scatter_(-1, order, kept)
