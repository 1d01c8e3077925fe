# %% wrong: own-share-counted | Only scatter was mended. `ahead` still counts the token itself (cumsum includes it), so the token that crosses the share is dropped, and a token that alone has the share leaves nothing but 0/0; it should hold what all likelier ones have.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: gather-to-go-back | Only the cut was mended. The way back from the sorted order still uses gather, which reads at the places `order`, where the numbers have to be written to these places (scatter, or gather with the inverse order).
def nucleus(log_probs, share):
    likeliest, order = torch.sort(log_probs.exp(), dim=-1, descending=True)
    ahead = F.pad(likeliest.cumsum(dim=-1)[:, :-1], (1, 0))
    kept = torch.where(ahead < share, likeliest, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.take_along_dim(kept, order, dim=-1)

# %% wrong: strictness-for-the-cut | The cut is changed from >= to >, as if only equality were wrong. The cumulative sum still includes the token itself, so the token that crosses the share is still dropped (the kept ones then have less than the share).
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)
    kept = likeliest.masked_fill(ahead > share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    result = torch.zeros_like(log_probs)
    result.scatter_(-1, order, kept)
    return result

# %% wrong: roll-wraps-around | The row of what is removed is shifted by one with roll, which brings the last entry round to the first place: the least likely token is always to be removed, so the likeliest one is removed, too. The first place must always be kept.
def nucleus(log_probs, share):
    probs = torch.exp(log_probs)
    ranked, order = probs.sort(dim=-1, descending=True)
    over = ranked.cumsum(dim=-1) >= share
    over = over.roll(1, dims=-1)
    dropped = torch.empty_like(over).scatter_(-1, order, over)
    probs = probs.masked_fill(dropped, 0.0)
    return probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: logit-zero-for-dropped | Dropped tokens get the log-probability 0 before the softmax, but e ** 0 is 1, so they become the likeliest of all. It has to be minus infinity in the logarithms (or 0 in the probabilities).
def nucleus(log_probs, share):
    sorted_logits, sorted_indices = torch.sort(log_probs, descending=True, dim=-1)
    cumulative_probs = sorted_logits.exp().cumsum(dim=-1)
    sorted_indices_to_remove = cumulative_probs - sorted_logits.exp() >= share
    indices_to_remove = sorted_indices_to_remove.scatter(
        1, sorted_indices, sorted_indices_to_remove
    )
    logits = log_probs.masked_fill(indices_to_remove, 0.0)
    return logits.softmax(dim=-1)

# %% wrong: ascending-and-share | The row is sorted from the least likely on, as in newer versions of Hugging Face, but the tail is cut at `share` and not at 1 - share: all unlikely tokens that together have at most the share are dropped.
def nucleus(log_probs, share):
    sorted_probs, sorted_indices = torch.sort(log_probs.exp(), descending=False, dim=-1)
    cumulative_probs = sorted_probs.cumsum(dim=-1)
    remove = cumulative_probs <= share
    remove[..., -1:] = False
    kept = sorted_probs.masked_fill(remove, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter_(-1, sorted_indices, kept)

# %% right: inverse-order
def nucleus(log_probs, share):
    order = log_probs.argsort(dim=-1, descending=True)
    ranked = log_probs.gather(-1, order).exp()
    ahead = F.pad(ranked.cumsum(dim=-1)[..., :-1], (1, 0))
    kept = ranked * (ahead < share)
    back = order.argsort(dim=-1)
    kept = kept.gather(-1, back)
    return kept / kept.sum(dim=-1, keepdim=True)

# %% right: removed-in-the-logarithms
def nucleus(log_probs, share):
    sorted_logits, sorted_indices = torch.sort(log_probs, dim=-1, descending=True)
    probs = sorted_logits.exp()
    remove = probs.cumsum(dim=-1) - probs >= share
    remove = torch.zeros_like(remove).scatter(-1, sorted_indices, remove)
    return log_probs.masked_fill(remove, float("-inf")).softmax(dim=-1)
