# %% wrong: gather-kept | Only the sum of those ahead is mended. The result is still brought back with gather, which reads at the places order and so shuffles the sorted row once more; scatter writes each number to the place that it came from.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order)

# %% wrong: hf-ascending-same-threshold | The row is sorted from unlikely to likely and the tail whose sum is at most share is cut, but the tail may only hold what is left over, 1 - share. With a share of 0.9 all but the likeliest tokens go, and less than the share is kept.
def nucleus(log_probs, share):
    sorted_probs, sorted_indices = torch.sort(log_probs.exp(), dim=-1, descending=False)
    cumulative_probs = sorted_probs.cumsum(dim=-1)
    sorted_remove = cumulative_probs <= share
    sorted_remove[..., -1:] = False
    remove = torch.zeros_like(sorted_remove).scatter(-1, sorted_indices, sorted_remove)
    probs = log_probs.exp().masked_fill(remove, 0.0)
    return probs / probs.sum(dim=-1, keepdim=True)

# %% wrong: crossing-token-dropped | A token is judged by the sum up to and with itself, so the one with which the share is reached is cut off, and what is kept has less than the share (the likeliest is saved by hand only). What counts is what all likelier ones have together, without the token itself.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    inside = likeliest.cumsum(dim=-1) < share
    inside[:, 0] = True
    kept = torch.where(inside, likeliest, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: softmax-to-scale-up | The kept probabilities are brought to a sum of 1 by a softmax instead of by division. It turns the zeros of the cut tokens into e to the 0, so they come back, and the others no longer stand in their old proportion.
def nucleus(log_probs, share):
    probs = log_probs.exp()
    likeliest, order = probs.sort(dim=-1, descending=True)
    ahead = F.pad(likeliest.cumsum(dim=-1)[:, :-1], (1, 0))
    rank = order.argsort(dim=-1)
    cut = (ahead >= share).gather(-1, rank)
    return probs.masked_fill(cut, 0.0).softmax(dim=-1)

# %% wrong: threshold-one-too-far | The smallest probability that is kept is read one place too far: if n tokens have a sum below the share, the one at place n (counted from 0) reaches it, but place n + 1 is read, so one token more than needed is kept in each row.
def nucleus(log_probs, share):
    probs = log_probs.exp()
    likeliest = probs.sort(dim=-1, descending=True).values
    needed = (likeliest.cumsum(dim=-1) < share).sum(dim=-1, keepdim=True) + 1
    threshold = likeliest.gather(-1, needed.clamp(max=probs.size(-1) - 1))
    probs = torch.where(probs < threshold, 0.0, probs)
    return probs / probs.sum(dim=-1, keepdim=True)

# %% right: by-rank
def nucleus(log_probs, share):
    probs = log_probs.exp()
    likeliest, order = probs.sort(dim=-1, descending=True)
    before = F.pad(likeliest.cumsum(dim=-1)[:, :-1], (1, 0))
    rank = order.argsort(dim=-1)
    kept = probs * (before < share).gather(-1, rank)
    return kept / kept.sum(dim=-1, keepdim=True)
