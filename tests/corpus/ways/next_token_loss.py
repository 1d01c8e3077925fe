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
