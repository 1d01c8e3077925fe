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
