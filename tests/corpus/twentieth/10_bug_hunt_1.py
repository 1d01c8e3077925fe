# %% wrong: greater-for-greater-or-equal | The scatter is right, but ahead still counts the token itself: only >= became >. A token is dropped as soon as it carries the sum over the share itself, so the tokens kept have less than `share` together (0.5 alone for a share of 0.6), and a row whose first token exceeds the share keeps none (0 / 0).
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)
    kept = likeliest.masked_fill(ahead > share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: gather-by-order-again | What is ahead is mended, but the way back is not: indexing the sorted row with order (gather) sorts it once more instead of undoing the sorting; it has to be written to the places in order (scatter).
def nucleus(log_probs, share):
    probabilities = log_probs.softmax(dim=-1)
    order = probabilities.argsort(dim=-1, descending=True)
    likeliest = torch.take_along_dim(probabilities, order, dim=-1)
    ahead = torch.cumsum(likeliest, dim=-1) - likeliest
    kept = torch.where(ahead < share, likeliest, torch.zeros_like(likeliest))
    kept = F.normalize(kept, p=1.0, dim=-1)
    return torch.take_along_dim(kept, order, dim=-1)

# %% wrong: hf-ascending-against-share | The rows are sorted upward, from the least likely, but the sum is still compared with `share`: sorted this way, the tail that may be dropped has at most 1 - share of the probability, so the threshold must be 1 - share; here too many tokens are dropped (or too few, if the share is below a half).
def nucleus(log_probs, share):
    sorted_probs, sorted_indices = log_probs.exp().sort(dim=-1, descending=False)
    cumulative_probs = sorted_probs.cumsum(dim=-1)
    sorted_indices_to_remove = cumulative_probs <= share
    sorted_indices_to_remove[..., -1:] = False
    indices_to_remove = sorted_indices_to_remove.scatter(
        -1, sorted_indices, sorted_indices_to_remove
    )
    probs = log_probs.exp().masked_fill(indices_to_remove, 0.0)
    return probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: softmax-of-probabilities | Both bugs are mended, but what is kept is scaled with a softmax over probabilities instead of being divided by its sum: the dropped tokens (0) get e^0 and so a part of the probability again, and the kept ones lose their proportions.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept.softmax(dim=-1)
    back = torch.zeros_like(kept)
    back.scatter_(-1, order, kept)
    return back

# %% wrong: shifted-with-roll | The sums are shifted by one place with roll, so that each token has what is ahead of it, but roll brings the last sum, 1, to the front: the likeliest token seems to have everything ahead of it and is dropped. The first place should be 0.
def nucleus(log_probs, share):
    rows = []
    for row in log_probs.exp():
        likeliest, order = torch.sort(row, descending=True)
        ahead = likeliest.cumsum(0).roll(1)
        likeliest[ahead >= share] = 0.0
        new = torch.zeros_like(row)
        new[order] = likeliest / likeliest.sum()
        rows.append(new)
    return torch.stack(rows)

# %% right: inverse-order-and-pad
def nucleus(log_probs, share):
    order = log_probs.argsort(dim=-1, descending=True)
    likeliest = log_probs.gather(-1, order).exp()
    ahead = F.pad(likeliest.cumsum(dim=-1)[:, :-1], (1, 0))
    kept = likeliest * (ahead < share)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    places = order.argsort(dim=-1)
    return kept.gather(-1, places)
