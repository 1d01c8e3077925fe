# %% wrong: argsort_descending_for_the_inverse | TRUE CAUSE: The way back to the vocabulary's order is mended with `gather` at `order.argsort(descending=True)`, which is the inverse order reversed (the inverse is the ascending argsort), so the probabilities land on the wrong tokens.
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order.argsort(dim=-1, descending=True))

# %% wrong: shifted_by_the_first_probability | TRUE CAUSE: `ahead` is made by subtracting the first (largest) probability from the cumulative sums (`likeliest[:, :1]`) and not each token's own, so it is the sum of the tokens 1 to i rather than 0 to i-1 and too many tokens are kept.
def nucleus(log_probs, share):
    """Keep the likeliest tokens that together have at least `share` of the probability.

    log_probs is (N, V). All other tokens get 0, and what is kept is scaled up, so that each row
    of the result, (N, V), sums to 1.
    """
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest[:, :1]  # what all likelier ones have together
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)

# %% wrong: own_one_count_for_all_rows | TRUE CAUSE: How many tokens are needed is taken as the maximum over the batch (`.max()`), so every row keeps as many tokens as the row that needs most, not as many as it needs itself.
def nucleus(log_probs, share):
    probs = log_probs.exp()
    top, ids = torch.sort(probs, dim=1, descending=True)
    needed = int((top.cumsum(dim=1) < share).sum(dim=1).max()) + 1
    top, ids = top[:, :needed], ids[:, :needed]
    result = torch.zeros_like(probs)
    result.scatter_(1, ids, top / top.sum(dim=1, keepdim=True))
    return result

# %% wrong: own_softmax_to_rescale | TRUE CAUSE: The kept probabilities are scaled to sum 1 with a softmax over the row (`F.softmax(kept, dim=0)`) and not by their sum, so the dropped tokens (0, exp(0) = 1) get probability again and the proportions are lost.
def nucleus(log_probs, share):
    rows = []
    for row in log_probs.exp():
        kept = torch.zeros_like(row)
        so_far = 0.0
        for token in row.argsort(descending=True):
            if so_far >= share:
                break
            kept[token] = row[token]
            so_far += row[token].item()
        rows.append(F.softmax(kept, dim=0))
    return torch.stack(rows)
