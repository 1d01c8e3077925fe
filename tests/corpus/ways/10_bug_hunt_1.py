# %% right: inverse_order
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = F.pad(likeliest.cumsum(dim=-1)[:, :-1], (1, 0))
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order.argsort(dim=-1))

# %% right: mask_put_back
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability."""
    probabilities = log_probs.exp()
    order = probabilities.argsort(dim=-1, descending=True)
    likeliest = probabilities.gather(-1, order)
    keep = (likeliest.cumsum(dim=-1) - likeliest) < share
    mask = torch.zeros_like(keep)
    mask.scatter_(-1, order, keep)
    kept = torch.where(mask, probabilities, torch.zeros_like(probabilities))
    return F.normalize(kept, p=1.0, dim=-1)
