# %% wrong: gather_left | TRUE CAUSE: the sum is repaired, but gather still reads where scatter should write, so the probabilities end at wrong tokens
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

# %% wrong: own_probability_left | TRUE CAUSE: the order is repaired, but ahead still contains each token's own probability, so the token that reaches the share is cut off
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

# %% wrong: what_comes_after | TRUE CAUSE: the order is repaired, but ahead is what the less likely tokens have together, where the likelier ones are meant, so the head of the list is cut off or everything kept
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.sum(dim=-1, keepdim=True) - likeliest.cumsum(dim=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: rolled_round | TRUE CAUSE: the sum is moved by one place with roll, and the last one, 1, comes round to the front: the likeliest token itself is dropped
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

# %% wrong: first_one_saved | TRUE CAUSE: the order is repaired; of the sum only the first place is set to 0, so at least one token is kept, but the one that reaches the share is cut off as before
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)
    ahead[:, 0] = 0.0  # keep at least one
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: softmax_to_scale | TRUE CAUSE: both bugs are repaired, but the scaling became a softmax, which gives the dropped tokens (0) a share again
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept.softmax(dim=-1)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: never_put_back_nor_scaled | TRUE CAUSE: two mistakes: the result stays in sorted order, and it is not scaled up to sum to 1
def nucleus(log_probs, share):
    probabilities = log_probs.exp()
    likeliest, order = probabilities.sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest
    return torch.where(ahead < share, likeliest, 0.0)
