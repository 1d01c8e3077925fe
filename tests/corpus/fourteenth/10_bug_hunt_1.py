# %% wrong: strictly_more_than_share | The way back is repaired with scatter_, but instead of leaving the token's own probability out of ahead, only >= became >. The token that reaches the share is still cut off, and if the likeliest alone exceeds the share, nothing is kept.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1)  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead > share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)
# %% wrong: inverse_order_from_the_wrong_end | ahead is right now, but the way back sorts order descending. The places that undo a sort are order.argsort() ascending; descending puts each probability at the mirrored token, at V - 1 - i in place of i.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order.argsort(dim=-1, descending=True))
# %% wrong: own_roll_wraps_around | To leave out the token itself the sums are moved on by one place with roll. The last sum, 1, then comes round to the first place, so the likeliest token counts as one with everything ahead of it and is cut off.
def nucleus(log_probs, share):
    probabilities = log_probs.exp()
    order = probabilities.argsort(dim=-1, descending=True)
    ranked = probabilities.gather(-1, order)
    before = ranked.cumsum(dim=-1).roll(1, dims=-1)
    needed = torch.where(before < share, ranked, torch.zeros_like(ranked))
    back = torch.zeros_like(ranked).scatter(-1, order, needed)
    return back / back.sum(dim=-1, keepdim=True)
# %% wrong: own_softmax_of_probabilities | Both bugs are gone, but the kept tokens are scaled with a softmax of their probabilities. The softmax takes e to the probabilities, so the kept ones do not keep their proportions; they have to be divided by their sum.
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    sums = likeliest.cumsum(dim=-1)
    ahead = F.pad(sums[:, :-1], (1, 0))  # 0 before the first
    kept = likeliest.masked_fill(ahead >= share, float("-inf")).softmax(dim=-1)
    result = torch.empty_like(kept)
    result.scatter_(-1, order, kept)
    return result
