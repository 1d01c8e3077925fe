# %% wrong: counts_padding_as_real | real is the number of all labels, padding included. Only labels other than model.pad_id are real, so a batch with much padding gets too much weight.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
            real = labels.numel()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean
# %% wrong: mean_of_the_batches | The batches' losses are added as they are and divided by the number of batches. A batch with more real tokens has to count more: the mean is per token.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item()
            tokens += real
    model.train(was_training)
    mean = total / len(batches)
    return mean
# %% wrong: own_always_back_to_training | At the end the model is always put into training mode. It has to be left in the mode that it was found in, which may be eval mode.
def evaluate(model, batches, loss_fn):
    @torch.no_grad()
    def measure(source, target):
        reads, says = shift_right(target)
        number = int(says.ne(model.pad_id).sum())
        loss = loss_fn(F.log_softmax(model(source, reads), dim=-1), says)
        return float(loss), number
    model.eval()
    measured = [measure(*batch) for batch in batches]
    model.train()
    all_tokens = sum(number for _, number in measured)
    return sum(loss * number for loss, number in measured) / all_tokens
# %% wrong: own_gradients_stay_off | Gradients are switched off with a plain call of torch.set_grad_enabled(False), and never on again. The training that continues afterwards cannot call backward any more.
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.train(False)
    torch.set_grad_enabled(False)
    losses, counts = [], []
    for source, target in batches:
        before, after = shift_right(target)
        predicted = torch.log_softmax(model(source, before), dim=-1)
        losses.append(loss_fn(predicted, after).item())
        counts.append((after != model.pad_id).sum().item())
    model.train(mode)
    weighted = [loss * count for loss, count in zip(losses, counts, strict=True)]
    return sum(weighted) / sum(counts)
