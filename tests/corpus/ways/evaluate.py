# %% right: lists_and_sums
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    losses, counts = [], []
    with torch.inference_mode():
        for src, tgt in batches:
            reads, says = shift_right(tgt)
            predicted = F.log_softmax(model(src, reads), dim=-1)
            losses.append(float(loss_fn(predicted, says)))
            counts.append(int(torch.count_nonzero(says != model.pad_id)))
    model.train(mode)
    return sum(loss * count for loss, count in zip(losses, counts)) / sum(counts)

# %% right: running_mean
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float."""
    was_training = model.training
    model.eval()
    mean, tokens = 0.0, 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        real = labels.ne(model.pad_id).sum().item()
        if real == 0:
            continue
        loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels).item()
        tokens += real
        mean += (loss - mean) * real / tokens
    if was_training:
        model.train()
    return mean


# %% right: own_decorated_helper
def evaluate(model, batches, loss_fn):
    @torch.no_grad()
    def measure(src, tgt):
        x, y = shift_right(tgt)
        n = int((y != model.pad_id).sum())
        return float(loss_fn(F.log_softmax(model(src, x), dim=-1), y)) * n, n

    mode = model.training
    model.eval()
    try:
        found = [measure(src, tgt) for src, tgt in batches]
    finally:
        model.train(mode)
    return sum(value for value, _ in found) / sum(n for _, n in found)

# %% right: own_mode_of_every_module
def evaluate(model, batches, loss_fn):
    modes = {module: module.training for module in model.modules()}
    model.train(False)
    losses, counts = [], []
    with torch.no_grad():
        for source, target in batches:
            reads, predicts = shift_right(target)
            losses.append(loss_fn(model(source, reads).log_softmax(-1), predicts).item())
            counts.append(torch.count_nonzero(predicts != model.pad_id).item())
    for module, mode in modes.items():
        module.training = mode
    return sum(loss * count for loss, count in zip(losses, counts)) / sum(counts)
