# %% wrong: always_back_to_training | TRUE CAUSE: model.train() is called at the end without the remembered mode, so a model that was in eval mode before is left in training mode.
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float.

    It is measured in eval mode and without gradients; model.pad_id tells which labels are real.
    """
    model.eval()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train()
    mean = total / tokens
    return mean

# %% wrong: counts_tokens_of_tgt | TRUE CAUSE: The real tokens are counted in tgt, which still holds the given first token of each sentence, instead of in labels, so each batch is weighted by N tokens too many.
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
            real = int((tgt != model.pad_id).sum())
            total += real * loss_fn(log_probs, labels).item()
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: own_lazy_generator | TRUE CAUSE: The losses are a generator expression that is only run by zip(*...) after the mode has been restored and no_grad has ended, so a model in training is measured with dropout on and with gradients recorded.
def evaluate(model, batches, loss_fn):
    def measure(src, tgt):
        reads, says = shift_right(tgt)
        count = (says != model.pad_id).sum().item()
        loss = loss_fn(model(src, reads).log_softmax(-1), says)
        return loss.item() * count, count

    mode = model.training
    model.eval()
    with torch.no_grad():
        measured = (measure(src, tgt) for src, tgt in batches)
    model.train(mode)
    losses, counts = zip(*measured)
    return sum(losses) / sum(counts)

# %% wrong: own_gradients_stay_off | TRUE CAUSE: torch.set_grad_enabled(False) is called as a plain function and never undone, so after evaluate no gradients are recorded anywhere and the training that continues cannot call backward.
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    torch.set_grad_enabled(False)

    weighted, counts = [], []
    for source, target in batches:
        reads, says = shift_right(target)
        n = says.ne(model.pad_id).sum()
        weighted.append(n * loss_fn(F.log_softmax(model(source, reads), dim=-1), says))
        counts.append(n)

    model.train(mode)
    return (sum(weighted) / sum(counts)).item()
