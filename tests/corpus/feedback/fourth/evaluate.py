# %% wrong: mean_of_the_batches | TRUE CAUSE: averages over the batches, each with the same weight, however many tokens it has
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
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V); blank: eval_log_probs
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item()
            tokens += real
    model.train(was_training)
    mean = total / len(batches)
    return mean

# %% wrong: padding_counted | TRUE CAUSE: counts all labels as real, padding too, so batches are weighted wrongly
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
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V); blank: eval_log_probs
            real = labels.numel()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: not_weighted | TRUE CAUSE: adds the averages of the batches without multiplying each by its tokens, then divides by all tokens
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
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V); blank: eval_log_probs
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item()
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: padding_is_zero | TRUE CAUSE: takes 0 for padding and does not ask model.pad_id
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
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V); blank: eval_log_probs
            real = (labels != 0).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: whole_target_counted | TRUE CAUSE: counts the real tokens of tgt, <bos> included, which is never predicted
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
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V); blank: eval_log_probs
            real = (tgt != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: tensor_returned | TRUE CAUSE: the count stays a tensor, so the result is a tensor and no plain float
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
            log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V); blank: eval_log_probs
            real = (labels != model.pad_id).sum()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: always_training_afterwards | TRUE CAUSE: puts the model into training mode at the end, whatever mode it was in
def evaluate(model, batches, loss_fn):
    model.eval()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            real = int((labels != model.pad_id).sum())
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train()
    return total / tokens

# %% wrong: dropout_still_on | TRUE CAUSE: two mistakes: eval mode is never switched on, so dropout is still active, and gradients are recorded
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float."""
    total, tokens = 0.0, 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        log_probs = model(src, decoder_input).log_softmax(dim=-1)
        real = (labels != model.pad_id).sum().item()
        total += loss_fn(log_probs, labels).item() * real
        tokens += real
    return total / tokens
