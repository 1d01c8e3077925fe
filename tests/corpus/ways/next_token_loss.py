# %% right: real_ones_only
def next_token_loss(logits, ids, pad_id=0):
    expected = ids[:, 1:]
    real = expected != pad_id
    return F.cross_entropy(logits[:, :-1][real], expected[real])

# %% right: by_hand
def next_token_loss(logits, ids, pad_id=0):
    length = ids.size(1)
    log_probs = logits.narrow(1, 0, length - 1).log_softmax(dim=-1)
    expected = ids.narrow(1, 1, length - 1)
    of_expected = log_probs.gather(2, expected.unsqueeze(-1)).squeeze(-1)
    counts = expected.ne(pad_id)
    return -torch.where(counts, of_expected, 0.0).sum() / counts.sum()


# %% right: own_logsumexp
def next_token_loss(logits, ids, pad_id=0):
    nxt = ids[:, 1:]
    before = logits[:, :-1]
    real = nxt.ne(pad_id)
    score = before.gather(2, nxt.unsqueeze(2)).squeeze(2)
    nll = before.logsumexp(dim=2) - score
    return nll[real].mean()

# %% right: own_loop_over_texts
def next_token_loss(logits, ids, pad_id=0):
    total, count = 0.0, 0
    for row_logits, row_ids in zip(logits, ids):
        goal = row_ids[1:]
        keep = goal != pad_id
        total = total + F.cross_entropy(row_logits[:-1][keep], goal[keep], reduction="sum")
        count += int(keep.sum())
    return total / count


# %% right: tenth_own_pick_the_real_ones
def next_token_loss(logits, ids, pad_id=0):
    target = ids[:, 1:]
    real = target != pad_id
    return F.cross_entropy(logits[:, :-1][real], target[real])

# %% right: tenth_own_logsumexp_loop
def next_token_loss(logits, ids, pad_id=0):
    total, count = 0.0, 0
    for t in range(ids.size(1) - 1):
        row, target = logits[:, t], ids[:, t + 1]
        nll = row.logsumexp(dim=-1) - row.gather(1, target[:, None])[:, 0]
        real = target != pad_id
        total = total + nll[real].sum()
        count = count + real.sum()
    return total / count


# %% right: eleventh_own_pick_real_ones
def next_token_loss(logits, ids, pad_id=0):
    goal = ids[:, 1:]
    real = goal != pad_id
    return F.cross_entropy(logits[:, :-1][real], goal[real])
# %% right: eleventh_own_gather
def next_token_loss(logits, ids, pad_id=0):
    following = ids[:, 1:]
    scores = logits[:, :-1]
    picked = scores.gather(-1, following[..., None])[..., 0] - scores.logsumexp(dim=-1)
    real = following.ne(pad_id)
    total = torch.where(real, picked, torch.zeros_like(picked)).sum()
    return -total / real.sum()


# %% right: twelfth_own_select_then_mean
def next_token_loss(logits, ids, pad_id=0):
    following = ids[:, 1:]
    real = following.ne(pad_id)
    return F.cross_entropy(logits[:, :-1][real], following[real])
# %% right: twelfth_own_sum_over_count
def next_token_loss(logits, ids, pad_id=0):
    total, count = 0.0, 0
    for scores, text in zip(logits, ids):
        target = text[1:]
        keep = (target != pad_id).nonzero().squeeze(1)
        log_probs = scores[keep] - scores[keep].logsumexp(dim=-1, keepdim=True)
        total = total - log_probs[torch.arange(len(keep), device=ids.device), target[keep]].sum()
        count += len(keep)
    return total / count
