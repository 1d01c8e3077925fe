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


# %% right: tenth_own_list_of_pairs
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    def measure(src, tgt):
        reads, says = shift_right(tgt)
        count = (says != model.pad_id).sum().item()
        loss = loss_fn(F.log_softmax(model(src, reads), dim=-1), says)
        return loss.item() * count, count

    mode = model.training
    model.eval()
    try:
        measured = [measure(src, tgt) for src, tgt in batches]
    finally:
        model.train(mode)
    return sum(one for one, _ in measured) / max(sum(n for _, n in measured), 1)

# %% right: tenth_own_running_mean
def evaluate(model, batches, loss_fn):
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    mean, seen = 0.0, 0
    for source, target in batches:
        reads, says = shift_right(target)
        n = int(torch.count_nonzero(says != model.pad_id))
        if n == 0:
            continue
        with torch.no_grad():
            value = float(loss_fn(model(source, reads).log_softmax(-1), says))
        seen += n
        mean += (value - mean) * n / seen
    for part, mode in modes:
        part.training = mode
    return mean


# %% right: eleventh_own_decorated_weighted_lists
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    losses, counts = [], []
    for source, target in batches:
        reads, wanted = shift_right(target)
        scores = F.log_softmax(model(source, reads), dim=-1)
        losses.append(float(loss_fn(scores, wanted)))
        counts.append(int(wanted.ne(model.pad_id).sum()))
    model.train(mode)
    return sum(loss * count for loss, count in zip(losses, counts)) / sum(counts)

# %% right: eleventh_own_running_mean_try_finally
def evaluate(model, batches, loss_fn):
    found_in = model.training
    mean, seen = 0.0, 0
    try:
        model.eval()
        for src, tgt in batches:
            reads, wanted = shift_right(tgt)
            count = sum(token != model.pad_id for row in wanted.tolist() for token in row)
            if count == 0:
                continue
            with torch.no_grad():
                loss = loss_fn(torch.log_softmax(model(src, reads), -1), wanted).item()
            seen += count
            mean += (loss - mean) * count / seen
    finally:
        model.train(found_in)
    return mean


# %% right: twelfth_own_lists_of_weights
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.train(False)
    losses, weights = [], []
    for src, tgt in batches:
        read, predict = shift_right(tgt)
        out = torch.log_softmax(model(src, read), dim=-1)
        losses.append(loss_fn(out, predict).item())
        weights.append((predict != model.pad_id).sum().item())
    model.train(mode)
    return sum(loss * weight for loss, weight in zip(losses, weights)) / sum(weights)

# %% right: twelfth_own_try_finally
def evaluate(model, batches, loss_fn):
    def measure(src, tgt):
        x, y = shift_right(tgt)
        n = int(torch.count_nonzero(y != model.pad_id))
        return n * float(loss_fn(F.log_softmax(model(src, x), -1), y)), n

    before = model.training
    model.eval()
    try:
        with torch.no_grad():
            sums, counts = zip(*[measure(src, tgt) for src, tgt in batches])
    finally:
        if before:
            model.train()
    return math.fsum(sums) / sum(counts)
