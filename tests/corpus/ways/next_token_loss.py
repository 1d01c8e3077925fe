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
# %% right: eleventh_own_gather
def next_token_loss(logits, ids, pad_id=0):
    following = ids[:, 1:]
    scores = logits[:, :-1]
    picked = scores.gather(-1, following[..., None])[..., 0] - scores.logsumexp(dim=-1)
    real = following.ne(pad_id)
    total = torch.where(real, picked, torch.zeros_like(picked)).sum()
    return -total / real.sum()
# %% right: fourteenth_own_logsumexp
def next_token_loss(logits, ids, pad_id=0):
    following = ids[:, 1:]
    counts = following.ne(pad_id)
    scores = logits[:, :-1][counts]  # (M, V), of real next tokens only
    right = scores.take_along_dim(following[counts].unsqueeze(1), dim=1).squeeze(1)
    return (scores.logsumexp(dim=1) - right).mean()
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
# %% right: own_loop_over_texts
def next_token_loss(logits, ids, pad_id=0):
    total, count = 0.0, 0
    for row_logits, row_ids in zip(logits, ids):
        goal = row_ids[1:]
        keep = goal != pad_id
        total = total + F.cross_entropy(row_logits[:-1][keep], goal[keep], reduction="sum")
        count += int(keep.sum())
    return total / count
# %% right: field_shifted_views
def next_token_loss(logits, ids, pad_id=0):
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = ids[..., 1:].contiguous()
    return F.cross_entropy(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1), ignore_index=pad_id)
# %% right: field_shift_logits_contiguous
def next_token_loss(logits, ids, pad_id=0):
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = ids[..., 1:].contiguous()
    loss_fct = nn.CrossEntropyLoss(ignore_index=pad_id)
    return loss_fct(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1))
# %% right: field_targets_with_minus_one
def next_token_loss(logits, ids, pad_id=0):
    targets = torch.full_like(ids, -1)
    targets[:, :-1] = ids[:, 1:]
    targets[targets == pad_id] = -1
    return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
