# %% wrong: counts_what_is_read | TRUE CAUSE: real counts the tokens of decoder_input that are not padding instead of those of labels; a padded row has one more of them (<bos> and <eos> both are read), so batches with padding get a wrong weight.
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
            real = (decoder_input != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: tensor_for_float | TRUE CAUSE: loss and real stay tensors (no .item() or float), so total / tokens is returned as a 0-d tensor, not as a plain float.
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
            real = (labels != model.pad_id).sum()
            total += loss_fn(log_probs, labels) * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: own_mode_saved_too_late | TRUE CAUSE: model.training is read after model.eval() has been called (model.eval() returns the model, so mode is always False), so a model that was in training mode is left in eval mode.
def evaluate(model, batches, loss_fn):
    mode = model.eval().training
    losses, counts = [], []
    with torch.inference_mode():
        for source, target in batches:
            reads, wanted = shift_right(target)
            scores = F.log_softmax(model(source, reads), dim=-1)
            losses.append(loss_fn(scores, wanted).item())
            counts.append(int(wanted.ne(model.pad_id).sum()))
    model.train(mode)
    return sum(l * c for l, c in zip(losses, counts)) / sum(counts)

# %% wrong: own_no_grad_as_statement | TRUE CAUSE: torch.no_grad() is only called as a statement, not used with `with` (nor as a decorator), so it has no effect and the forward passes record gradients.
def evaluate(model, batches, loss_fn):
    before = model.training
    model.eval()
    torch.no_grad()

    def measure(src, tgt):
        seen, wanted = shift_right(tgt)
        count = (wanted != model.pad_id).sum().item()
        loss = loss_fn(model(src, seen).log_softmax(-1), wanted)
        return loss.item() * count, count

    sums = [measure(src, tgt) for src, tgt in batches]
    model.train(before)
    return sum(s for s, _ in sums) / sum(c for _, c in sums)
