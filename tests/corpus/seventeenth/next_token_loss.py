# %% wrong: no-shift | Each position is compared with the token that it has just read, since logits and ids are not shifted against each other (only cut to the same length).
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, :-1]
    expected = ids[:, :-1]
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss

# %% wrong: hf-minus-100 | The padding is not left out: F.cross_entropy leaves out -100 by default, and nobody has put that into the labels, so pad_id counts like any token.
def next_token_loss(logits, ids, pad_id=0):
    labels = ids
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = labels[..., 1:].contiguous()
    loss_fct = nn.CrossEntropyLoss()
    return loss_fct(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1))

# %% wrong: mean-over-all | The losses at padding are set to 0, but the mean is then taken over all positions, padding included, so much padding makes the loss small; it is the mean over the tokens that count.
def next_token_loss(logits, ids, pad_id=0):
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    expected = ids[:, 1:]
    each = -log_probs.gather(2, expected.unsqueeze(2)).squeeze(2)
    each = torch.where(expected == pad_id, torch.zeros_like(each), each)
    return each.mean()

# %% wrong: softmax-twice | Probabilities are given to F.cross_entropy, which takes the log-softmax itself, so the softmax is taken twice and the loss can hardly fall.
def next_token_loss(logits, ids, pad_id=0):
    vocabulary = logits.size(-1)
    predicted = F.softmax(logits[:, :-1], dim=-1).reshape(-1, vocabulary)
    return F.cross_entropy(predicted, ids[:, 1:].reshape(-1), ignore_index=pad_id)

# %% wrong: rolled-and-by-text | Two mistakes. The ids are rolled by one and nothing is cut off, so the last position is expected to predict the first token of its text; and each text is averaged for itself and then all texts alike, though short texts have fewer tokens.
def next_token_loss(logits, ids, pad_id=0):
    labels = ids.roll(-1, dims=1)
    real = labels != pad_id
    by_text = []
    for row, answers, counts in zip(logits, labels, real):
        if counts.any():
            by_text.append(F.cross_entropy(row[counts], answers[counts]))
    return torch.stack(by_text).mean()

# %% right: nll-of-real-ones
def next_token_loss(logits, ids, pad_id=0):
    expected = ids[:, 1:]
    real = expected != pad_id
    chosen = logits[:, :-1][real]
    right = chosen.gather(1, expected[real][:, None])[:, 0]
    return (chosen.logsumexp(dim=-1) - right).mean()

# %% right: labels-of-minus-one
def next_token_loss(logits, ids, pad_id=0):
    b, t, c = logits.shape
    last = torch.full_like(ids[:, :1], -1)
    targets = torch.cat((ids[:, 1:], last), dim=1)
    targets = targets.masked_fill(targets == pad_id, -1)
    return F.cross_entropy(logits.reshape(b * t, c), targets.reshape(b * t), ignore_index=-1)
