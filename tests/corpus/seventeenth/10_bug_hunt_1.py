# %% wrong: hugging-face-first-token-removed | The tokens to remove are shifted by one to the right, as in Hugging Face's top-p filter, but its line that always keeps the first token is missing: place 0 keeps its own unshifted value. Where the likeliest token alone has the share, all tokens are removed, and the row is nan.
def nucleus(log_probs, share):
    sorted_logits, sorted_indices = torch.sort(log_probs, descending=True, dim=-1)
    cumulative_probs = sorted_logits.exp().cumsum(dim=-1)
    sorted_indices_to_remove = cumulative_probs >= share
    sorted_indices_to_remove[..., 1:] = sorted_indices_to_remove[..., :-1].clone()
    indices_to_remove = sorted_indices_to_remove.scatter(
        -1, sorted_indices, sorted_indices_to_remove
    )
    filtered = log_probs.masked_fill(indices_to_remove, -float("inf"))
    return F.softmax(filtered, dim=-1)

# %% wrong: softmax-of-probabilities | The kept probabilities are made to sum to 1 by a softmax instead of by dividing by their sum. A softmax of probabilities flattens them, and the tokens that were set to 0 get e^0, so nothing is cut off ("All other tokens get 0, and what is kept is scaled up").
def nucleus(log_probs, share):
    probs = log_probs.exp()
    likeliest, order = probs.sort(dim=-1, descending=True)
    inside = likeliest.cumsum(dim=-1) - likeliest < share
    mask = torch.zeros_like(inside).scatter(-1, order, inside)
    return torch.where(mask, probs, torch.zeros_like(probs)).softmax(dim=-1)

# %% wrong: hugging-face-ascending-share | The tokens are sorted from the least likely up, as in newer Hugging Face code, but the running sum is compared with share instead of 1 - share. So the tail is cut until it holds the share, and what is kept has about 1 - share: with 0.2, 0.5, 0.3 and 0.6, only the 0.5 stays.
def nucleus(log_probs, share):
    sorted_probs, sorted_indices = torch.sort(log_probs.exp(), descending=False, dim=-1)
    cumulative_probs = sorted_probs.cumsum(dim=-1)
    sorted_indices_to_remove = cumulative_probs <= share
    sorted_indices_to_remove[..., -1:] = False
    kept = sorted_probs.masked_fill(sorted_indices_to_remove, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, sorted_indices, kept)

# %% wrong: share-of-the-likeliest | The share is taken for a threshold: all tokens are kept that have at least that share of the likeliest one's probability (min-p sampling). The nucleus is the likeliest tokens that together have at least the share, which depends on their sum and not on each one alone.
def nucleus(log_probs, share):
    result = []
    for row in log_probs.exp():
        threshold = share * row.max()
        kept = torch.where(row >= threshold, row, torch.zeros_like(row))
        result.append(kept / kept.sum())
    return torch.stack(result)

# %% wrong: gather-left | ahead is mended by leaving the token itself out, but the result is still brought back with gather, since the student thinks that the same places lead back as well. gather reads at these places, which sorts a second time; scatter writes to them (it comes out right only where the order is its own inverse, as in a swap).
def nucleus(log_probs, share):
    likeliest, order = log_probs.exp().sort(dim=-1, descending=True)
    ahead = likeliest.cumsum(dim=-1) - likeliest
    kept = likeliest.masked_fill(ahead >= share, 0.0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept.gather(-1, order)

# %% right: padded-sum-and-inverse-order
def nucleus(log_probs, share):
    order = log_probs.argsort(dim=-1, descending=True)
    likeliest = log_probs.exp().gather(-1, order)
    ahead = F.pad(likeliest.cumsum(dim=-1), (1, -1))
    kept = torch.where(ahead < share, likeliest, torch.zeros_like(likeliest))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    back = order.argsort(dim=-1)
    return kept.gather(-1, back)

# %% right: row-by-row
def nucleus(log_probs, share):
    probs = log_probs.exp()
    result = torch.zeros_like(probs)
    for row in range(probs.size(0)):
        likeliest, places = probs[row].sort(descending=True)
        count = int((likeliest.cumsum(dim=0) < share).sum()) + 1
        kept = likeliest[:count]
        result[row, places[:count]] = kept / kept.sum()
    return result
