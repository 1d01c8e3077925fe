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


# %% right: own_mask_put_back
def nucleus(log_probs, share):
    probs = log_probs.exp()
    order = probs.argsort(dim=-1, descending=True)
    running = probs.gather(-1, order).cumsum(dim=-1)
    before = F.pad(running[:, :-1], (1, 0))
    keep = torch.zeros_like(before, dtype=torch.bool).scatter(-1, order, before < share)
    probs = torch.where(keep, probs, torch.zeros_like(probs))
    return probs / probs.sum(dim=-1, keepdim=True)
# %% right: own_row_by_row
def nucleus(log_probs, share):
    p = log_probs.exp()
    rows = []
    for row in p:
        values, places = row.sort(descending=True)
        needed = int((values.cumsum(0) < share).sum()) + 1
        chosen = places[:needed]
        out = torch.zeros_like(row)
        out[chosen] = row[chosen] / row[chosen].sum()
        rows.append(out)
    return torch.stack(rows)
