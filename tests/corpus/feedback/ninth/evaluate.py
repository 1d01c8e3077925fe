# %% wrong: counts_tokens_that_are_read | TRUE CAUSE: real counts the tokens of decoder_input that are not padding, not those of labels, so each row that ends in padding counts one token too many and the batches get wrong weights
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

# %% wrong: mean_stays_a_tensor | TRUE CAUSE: real is left a tensor (sum without item), so tokens and total become tensors and the returned mean is a tensor with no axes, where a plain float is asked for
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
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: own_weighted_by_sentences | TRUE CAUSE: weights the loss of each batch by its number of sentences (rows), not by its number of real labels, so the result is no mean per token
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.train(False)
    losses, weights = [], []
    with torch.no_grad():
        for src, tgt in batches:
            inputs, outputs = shift_right(tgt)
            losses.append(loss_fn(F.log_softmax(model(src, inputs), dim=-1), outputs))
            weights.append(len(outputs))
    model.train(mode)
    losses, weights = torch.stack(losses), torch.tensor(weights)
    return ((losses * weights).sum() / weights.sum()).item()

# %% wrong: own_gradients_off_for_good | TRUE CAUSE: switches gradients off globally by torch.set_grad_enabled(False) and never on again, so the returned mean is right but no training can continue after the call
def evaluate(model, batches, loss_fn):
    before = model.training
    model.eval()
    torch.set_grad_enabled(False)

    def measure(src, tgt):
        x, y = shift_right(tgt)
        n = int(y.ne(model.pad_id).sum())
        return n * float(loss_fn(model(src, x).log_softmax(-1), y)), n

    sums, counts = zip(*[measure(*batch) for batch in batches])
    model.train(before)
    return sum(sums) / sum(counts)
