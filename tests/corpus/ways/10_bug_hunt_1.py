# %% right: twelfth_own_row_by_row
def nucleus(log_probs, share):
    result = torch.zeros_like(log_probs)
    for row, target in zip(log_probs.exp(), result):
        so_far = 0.0
        for place in row.argsort(descending=True).tolist():
            target[place] = row[place]
            so_far += row[place].item()
            if so_far >= share:
                break
    return result / result.sum(dim=1, keepdim=True)
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
# %% right: twelfth_own_ranks_and_softmax
def nucleus(log_probs, share):
    order = log_probs.argsort(dim=-1, descending=True)
    rank = order.argsort(dim=-1)
    running = log_probs.exp().gather(-1, order).cumsum(dim=-1)
    before = F.pad(running[:, :-1], (1, 0)).gather(-1, rank)
    return log_probs.masked_fill(before >= share, float("-inf")).softmax(dim=-1)
# %% right: eleventh_own_inverse_permutation
def nucleus(log_probs, share):
    probs = log_probs.exp()
    order = probs.argsort(dim=-1, descending=True)
    ranked = torch.take_along_dim(probs, order, dim=-1)
    before = F.pad(ranked.cumsum(-1)[..., :-1], (1, 0))
    keep = (before < share).take_along_dim(order.argsort(dim=-1), dim=-1)
    masked = torch.where(keep, probs, torch.zeros_like(probs))
    return masked / masked.sum(-1, keepdim=True)
# %% right: eleventh_own_rows_in_a_loop
def nucleus(log_probs, share):
    out = torch.zeros_like(log_probs)
    for row, log_p in enumerate(log_probs):
        p = log_p.exp()
        best_first = torch.argsort(p, descending=True)
        size = 1
        while size < len(p) and p[best_first[:size]].sum() < share:
            size += 1
        chosen = best_first[:size]
        out[row, chosen] = p[chosen] / p[chosen].sum()
    return out
# %% right: tenth_own_loop_over_rows
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
        rows.append(kept / kept.sum())
    return torch.stack(rows)
# %% right: mask_put_back
def nucleus(log_probs, share):
    probabilities = log_probs.exp()
    order = probabilities.argsort(dim=-1, descending=True)
    likeliest = probabilities.gather(-1, order)
    keep = (likeliest.cumsum(dim=-1) - likeliest) < share
    mask = torch.zeros_like(keep)
    mask.scatter_(-1, order, keep)
    kept = torch.where(mask, probabilities, torch.zeros_like(probabilities))
    return F.normalize(kept, p=1.0, dim=-1)
