# %% wrong: shifted-the-wrong-way | The logits lose their first position and the ids their last: the logits at position t + 1 are compared with the token at t, one that the model has already read, instead of the next.
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, 1:]
    expected = ids[:, :-1]
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss

# %% wrong: reshaped-not-transposed | cross_entropy wants (N, V, T - 1), and the logits (N, T - 1, V) are reshaped to that instead of transposed: the shape fits, but the scores of a token are mixed from several positions.
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, :-1]
    expected = ids[:, 1:]
    batch, length, vocab = predicted.shape
    loss = F.cross_entropy(
        predicted.reshape(batch, vocab, length), expected, ignore_index=pad_id
    )
    return loss

# %% wrong: padding-counts | In the manner of Hugging Face, where labels of padding are -100: CrossEntropyLoss is called without ignore_index, and here padding has pad_id, so it is learned and counted like a real token.
def next_token_loss(logits, ids, pad_id=0):
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = ids[..., 1:].contiguous()
    loss_fct = nn.CrossEntropyLoss()
    return loss_fct(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1))

# %% wrong: mean-of-text-means | Each text is averaged by itself, and then the texts are: a token of a short text counts more. The mean is over all next tokens.
def next_token_loss(logits, ids, pad_id=0):
    chosen = logits[:, :-1].log_softmax(dim=-1).gather(2, ids[:, 1:, None]).squeeze(2)
    real = (ids[:, 1:] != pad_id).to(chosen.dtype)
    per_text = -(chosen * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    return per_text.mean()

# %% wrong: real-by-what-was-read | Which positions count is decided by the token that is read, not by the one that is expected: at the last token before the padding, the padding that follows is counted as an exercise.
def next_token_loss(logits, ids, pad_id=0):
    inputs, targets = ids[:, :-1], ids[:, 1:]
    each = F.cross_entropy(logits[:, :-1].transpose(1, 2), targets, reduction="none")
    counts = inputs != pad_id
    return each[counts].mean()

# %% wrong: softmax-twice-and-padding-in-the-mean | Two mistakes. cross_entropy, which takes a softmax itself, is given probabilities instead of logits; and the losses of padding are set to 0 but still counted in the mean.
def next_token_loss(logits, ids, pad_id=0):
    probs = F.softmax(logits[:, :-1, :], dim=-1)
    targets = ids[:, 1:]
    losses = F.cross_entropy(
        probs.reshape(-1, probs.size(-1)), targets.reshape(-1), reduction="none"
    )
    losses = losses * (targets.reshape(-1) != pad_id)
    return losses.mean()

# %% right: picked-by-a-mask
def next_token_loss(logits, ids, pad_id=0):
    following = ids[:, 1:]
    counts = following != pad_id
    scores = logits[:, :-1][counts]
    right = scores.gather(1, following[counts].unsqueeze(1)).squeeze(1)
    return (scores.logsumexp(dim=1) - right).mean()

# %% right: last-label-is-ignored
def next_token_loss(logits, ids, pad_id=0):
    targets = F.pad(ids[:, 1:], (0, 1), value=pad_id)
    total = F.cross_entropy(
        logits.transpose(1, 2), targets, ignore_index=pad_id, reduction="sum"
    )
    return total / targets.ne(pad_id).sum()
