# %% wrong: greater_instead_of_ahead | TRUE CAUSE: `ahead` still includes the token's own probability and only the comparison was changed from >= to >, so the token with which the sum passes the share is still dropped (and a first token above the share leaves a row of nan)
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

# %% wrong: roll_without_zero | TRUE CAUSE: the cumulative sum is shifted by roll, which brings the row's total of 1 to the first place instead of a 0, so the likeliest token of each row counts as beyond the share and is dropped (and a row whose likeliest token alone reaches the share keeps nothing and becomes nan)
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1).roll(1, dims=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(log_probs).scatter(-1, order, kept)

# %% wrong: own_softmax_of_probabilities | TRUE CAUSE: the right tokens are kept, but they are scaled by a softmax over their probabilities instead of being divided by their sum, so the kept values are proportional to exp(p), far too even
def nucleus(log_probs, share):
    probs = log_probs.exp()
    rows = []
    for p in probs:
        keep = torch.zeros_like(p, dtype=torch.bool)
        so_far = 0.0
        for place in p.argsort(descending=True).tolist():
            if so_far >= share:
                break
            keep[place] = True
            so_far += p[place].item()
        rows.append(torch.where(keep, p, -math.inf).softmax(dim=-1))
    return torch.stack(rows)

# %% wrong: own_tail_up_to_share | TRUE CAUSE: the tail is cut off from the least likely token upwards as long as it holds at most `share` instead of at most 1 - share of the probability, so the two shares are confused
def nucleus(log_probs, share):
    probs = torch.exp(log_probs)
    ascending = torch.argsort(probs, dim=1)
    tail = torch.take_along_dim(probs, ascending, dim=1).cumsum(1)
    rank = torch.argsort(ascending, dim=1)
    tail = torch.take_along_dim(tail, rank, dim=1)
    kept = probs * (tail > share)
    return kept / kept.sum(1, keepdim=True)
