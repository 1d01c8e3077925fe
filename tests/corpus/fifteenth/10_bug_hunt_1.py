# %% wrong: order-not-undone | Only the first bug is mended (ahead no longer counts the token itself): the result is still read with gather at `order` instead of written there with scatter, so the probabilities stand at wrong tokens.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order)

# %% wrong: greater-instead | The order is mended, but in place of leaving the token itself out of `ahead`, the comparison is changed from >= to >: the token that reaches the share is still dropped, so less than the share is kept (or nothing, and nan).
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)
    kept = likeliest.masked_fill(ahead > share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: roll-wraps-around | The cumulative sum is shifted by one with roll, which brings the last sum, 1, round to the first place: the likeliest token counts as having 1 ahead of it and is dropped. (The order is mended.)
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    back = order.argsort(dim=-1)
    return kept.gather(-1, back)

# %% wrong: not-scaled-up | Rewritten in the manner of Hugging Face's top-p filter: the log-probabilities of the removed tokens become minus infinity and exp is taken, but what is kept is not divided by its sum, so the rows do not sum to 1.
def nucleus(log_probs, share):
    sorted_log_probs, sorted_indices = torch.sort(log_probs, descending=True, dim=-1)
    cumulative_probs = sorted_log_probs.exp().cumsum(dim=-1)
    sorted_indices_to_remove = cumulative_probs >= share
    sorted_indices_to_remove[..., 1:] = sorted_indices_to_remove[..., :-1].clone()
    sorted_indices_to_remove[..., 0] = False
    indices_to_remove = sorted_indices_to_remove.scatter(
        1, sorted_indices, sorted_indices_to_remove
    )
    return log_probs.masked_fill(indices_to_remove, -math.inf).exp()

# %% right: filter-then-softmax
def nucleus(log_probs, share):
    sorted_log_probs, sorted_indices = torch.sort(log_probs, descending=True, dim=-1)
    cumulative_probs = sorted_log_probs.exp().cumsum(dim=-1)
    remove = cumulative_probs >= share
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = False
    indices_to_remove = torch.zeros_like(remove).scatter(-1, sorted_indices, remove)
    return log_probs.masked_fill(indices_to_remove, -math.inf).softmax(dim=-1)
