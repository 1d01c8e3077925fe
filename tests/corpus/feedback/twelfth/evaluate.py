# %% wrong: counts_bos_too | TRUE CAUSE: the real tokens are counted in tgt instead of in labels, so each row counts one token (bos) more that is never predicted, and batches are weighted wrongly
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float.

    It is measured in eval mode and without gradients; model.pad_id tells which labels are real.
    """
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
            real = (tgt != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: mode_read_too_late | TRUE CAUSE: was_training is read after model.eval(), so it is always False and a model that was in training mode is left in eval mode
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float.

    It is measured in eval mode and without gradients; model.pad_id tells which labels are real.
    """
    model.eval()
    was_training = model.training
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
            real = labels.ne(model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: own_weighted_by_sentences | TRUE CAUSE: the batch losses are weighted by the number of sentences (len(src)) instead of by the number of real labels, so the result is not the mean per real token
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.train(False)
    losses, weights = [], []
    with torch.no_grad():
        for src, tgt in batches:
            read, predict = shift_right(tgt)
            out = torch.log_softmax(model(src, read), dim=-1)
            losses.append(loss_fn(out, predict).item())
            weights.append(len(src))
    model.train(mode)
    return sum(loss * weight for loss, weight in zip(losses, weights)) / sum(weights)

# %% wrong: own_gradients_stay_off | TRUE CAUSE: torch.set_grad_enabled(False) is called as a statement and never undone, so after evaluate nothing is recorded for gradients any more, anywhere
def evaluate(model, batches, loss_fn):
    before = model.training
    model.eval()
    torch.set_grad_enabled(False)
    summed = count = 0
    for src, tgt in batches:
        x, y = shift_right(tgt)
        n = int((y != model.pad_id).sum())
        summed += n * float(loss_fn(F.log_softmax(model(src, x), -1), y))
        count += n
    if before:
        model.train()
    return summed / count
