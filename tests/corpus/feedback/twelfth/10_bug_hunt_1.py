# %% wrong: condition_not_sum_changed | TRUE CAUSE: the first bug is mended only by changing >= to >, but ahead still includes the token itself, so the token that crosses the share is dropped as before
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

# %% wrong: scatter_into_the_argument | TRUE CAUSE: the result is written with scatter_ into log_probs itself instead of into new zeros, so the values are right but the caller's log-probabilities are overwritten
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return log_probs.scatter_(-1, order, kept)

# %% wrong: own_same_count_for_all_rows | TRUE CAUSE: one number of kept tokens, the largest of all rows, is used for the whole batch (max over rows), so rows that need fewer tokens keep too many
def nucleus(log_probs, share):
    probs = log_probs.exp()
    ranked, places = torch.sort(probs, dim=1, descending=True)
    before = F.pad(ranked.cumsum(dim=1)[:, :-1], (1, 0))
    k = int((before < share).sum(dim=1).max())
    out = torch.zeros_like(probs)
    out.scatter_(1, places[:, :k], ranked[:, :k])
    return out / out.sum(dim=1, keepdim=True)

# %% wrong: own_softmax_of_probabilities | TRUE CAUSE: what is kept is normalized with a softmax over the probabilities instead of over the log-probabilities (or by dividing by their sum), so the kept tokens become nearly alike
def nucleus(log_probs, share):
    probs = log_probs.exp()
    order = probs.argsort(dim=-1, descending=True)
    rank = order.argsort(dim=-1)
    ranked = probs.gather(-1, order)
    before = (ranked.cumsum(-1) - ranked).gather(-1, rank)
    return probs.masked_fill(before >= share, float("-inf")).softmax(dim=-1)
