# %% wrong: shifted-the-other-way | The shift goes the wrong way: the logits lose their first position and the ids their last one, so each position is compared with the token before it instead of the one after.
def next_token_loss(logits, ids, pad_id=0):
    predicted = logits[:, 1:]  # (N, T - 1, V)
    expected = ids[:, :-1]  # (N, T - 1)
    loss = F.cross_entropy(predicted.flatten(0, 1), expected.flatten(), ignore_index=pad_id)
    return loss

# %% wrong: divided-by-all-positions | The losses of padding are set to 0, but the mean still divides by all positions, padding among them, instead of by the number of real next tokens.
def next_token_loss(logits, ids, pad_id=0):
    expected = ids[:, 1:]
    losses = F.cross_entropy(logits[:, :-1].transpose(1, 2), expected, reduction="none")
    losses = losses * (expected != pad_id)
    return losses.mean()

# %% wrong: hf-padding-counts | cross_entropy is called without ignore_index=pad_id, as Hugging Face does, whose labels hold -100 at padding; here they hold pad_id, so padding counts like any token.
def next_token_loss(logits, ids, pad_id=0):
    labels = ids
    shift_logits = logits[..., :-1, :].contiguous()
    shift_labels = labels[..., 1:].contiguous()
    loss_fct = nn.CrossEntropyLoss()
    loss = loss_fct(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1))
    return loss

# %% wrong: nanogpt-no-shift | Logits and ids are compared at the same position, as nanoGPT does, whose targets come shifted already; so each position has to predict the token that it has just read.
def next_token_loss(logits, ids, pad_id=0):
    targets = ids
    return F.cross_entropy(
        logits.view(-1, logits.size(-1)), targets.reshape(-1), ignore_index=pad_id
    )

# %% wrong: masked-by-what-was-read | A place counts if the token that was read there is real, not if the token that is expected is; so the padding that follows the last real token counts, too.
def next_token_loss(logits, ids, pad_id=0):
    read, expected = ids[:, :-1], ids[:, 1:]
    log_probs = logits[:, :-1].log_softmax(dim=-1)
    of_next = log_probs.gather(-1, expected.unsqueeze(-1)).squeeze(-1)
    counts = (read != pad_id).to(of_next.dtype)
    return -(of_next * counts).sum() / counts.sum()

# %% wrong: mean-of-the-texts | The mean is taken within each text first and then over the texts; so a token of a short text counts more, instead of each real next token the same.
def next_token_loss(logits, ids, pad_id=0):
    found = []
    for scores, text in zip(logits, ids):
        expected = text[1:]
        real = expected != pad_id
        if real.any():
            found.append(F.cross_entropy(scores[:-1][real], expected[real]))
    return torch.stack(found).mean()

# %% wrong: time-first-against-batch-first | The logits are flattened time first and the expected ids batch first; both have N times (T - 1) entries, but each prediction is compared with the token of another text and place.
def next_token_loss(logits, ids, pad_id=0):
    output = logits.transpose(0, 1)[:-1]  # (T - 1, N, V)
    target = ids[:, 1:]
    criterion = nn.CrossEntropyLoss(ignore_index=pad_id)
    return criterion(output.reshape(-1, output.size(-1)), target.reshape(-1))

# %% right: picked-and-averaged
def next_token_loss(logits, ids, pad_id=0):
    after = ids[:, 1:]
    counts = after.ne(pad_id)
    scores = logits[:, :-1][counts]  # (real, V)
    right = scores.gather(1, after[counts].unsqueeze(1)).squeeze(1)
    return (scores.logsumexp(dim=1) - right).mean()

# %% right: labels-rolled-to-the-left
def next_token_loss(logits, ids, pad_id=0):
    labels = torch.full_like(ids, -100)
    labels[:, :-1] = ids[:, 1:].masked_fill(ids[:, 1:] == pad_id, -100)
    return F.cross_entropy(logits.movedim(-1, 1), labels)
