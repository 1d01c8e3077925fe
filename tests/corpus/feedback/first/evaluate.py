# %% wrong: mean_of_batches | TRUE CAUSE: the average losses of the batches are averaged over the batches, so a batch with few tokens weighs as much as one with many
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    losses = []
    with torch.no_grad():
        for src, tgt in batches:
            x, y = shift_right(tgt)
            out = F.log_softmax(model(src, x), dim=-1)
            losses.append(loss_fn(out, y).item())
    model.train(was_training)
    return sum(losses) / len(losses)

# %% wrong: counts_padding | TRUE CAUSE: all labels are counted as real tokens, padding too
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
            real = labels.numel()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: pad_zero | TRUE CAUSE: real labels are those that are not 0; model.pad_id is ignored
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
            real = int(torch.count_nonzero(labels))
            total += real * float(loss_fn(log_probs, labels))
            tokens += real
    model.train(was_training)
    mean = total / max(tokens, 1)
    return mean

# %% wrong: counts_what_is_read | TRUE CAUSE: the real tokens are counted in the decoder's input instead of in the labels, which is one more for each padded row
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

# %% wrong: always_train | TRUE CAUSE: the model is put in train mode at the end, whatever mode it was in before
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    model.eval()
    loss_sum = 0.0
    n = 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        log_probs = model(src, decoder_input).log_softmax(-1)
        k = labels.ne(model.pad_id).sum().item()
        loss_sum += k * loss_fn(log_probs, labels).item()
        n += k
    model.train()
    return loss_sum / n

# %% wrong: tensor_back | TRUE CAUSE: the loss and the count stay tensors, so the mean comes back as a tensor instead of a plain float
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

# %% wrong: model_pad | TRUE CAUSE: the attribute is called pad_id, not pad, so it raises an AttributeError
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
            real = (labels != model.pad).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: unweighted_and_leaky | TRUE CAUSE: two mistakes: the average loss of each batch is added without multiplying it by its number of tokens, though the sum is divided by all tokens; and the model reads the labels instead of the decoder's input
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.train(False)
    total = tokens = 0
    with torch.inference_mode():
        for source, target in batches:
            reads, says = target[:, 1:], target[:, 1:]
            guesses = model(source, reads).log_softmax(dim=-1)
            total += loss_fn(guesses, says).item()
            tokens += (says != model.pad_id).sum().item()
    model.train(mode)
    return total / tokens
