# %% wrong: reshaped-not-transposed | F.cross_entropy wants the vocabulary as the second axis; (N, T - 1, V) is brought to (N, V, T - 1) by reshape and not by transpose, so logits of different positions and tokens are mixed up.
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, :-1]
    expected = ids[:, 1:]
    N, T, V = predicted.shape
    loss = F.cross_entropy(predicted.reshape(N, V, T), expected, ignore_index=pad_id)
    return loss

# %% wrong: mean-of-the-rows-means | Each text's mean is computed first and the texts are averaged: a token of a short text counts more than one of a long text, where the mean over all tokens was asked for.
def next_token_loss(logits, ids, pad_id=0):
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    expected = ids[:, 1:]
    real = (expected != pad_id).float()
    nll = -log_probs.gather(2, expected.unsqueeze(2)).squeeze(2)
    per_text = (nll * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)
    return per_text.mean()

# %% wrong: ignore-minus-one | As in nanoGPT, ignore_index=-1 and pad_id is not used: the loss counts the padding as tokens to predict.
def next_token_loss(logits, ids, pad_id=0):
    logits = logits[:, :-1, :].contiguous()
    targets = ids[:, 1:].contiguous()
    return F.cross_entropy(
        logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1
    )

# %% wrong: mask-of-what-was-read | Positions are left out where the token that was *read* is padding, ids[:, :-1], and not where the expected one is: the padding after the last real token counts as an exercise.
def next_token_loss(logits, ids, pad_id=0):
    real = ids[:, :-1] != pad_id
    predicted = logits[:, :-1][real]
    expected = ids[:, 1:][real]
    return F.cross_entropy(predicted, expected)

# %% right: hugging-face-shift
def next_token_loss(logits, ids, pad_id=0):
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = ids[..., 1:].contiguous()
    shift_labels = shift_labels.masked_fill(shift_labels == pad_id, -100)
    loss_fct = nn.CrossEntropyLoss()
    return loss_fct(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1))
