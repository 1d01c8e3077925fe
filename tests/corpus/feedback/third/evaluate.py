# %% wrong: counts_what_is_read | TRUE CAUSE: counts the tokens of what the decoder reads that are no padding instead of the labels: a row that ends before its last column counts one too many
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
            real = (decoder_input != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean


# %% wrong: counts_padding_too | TRUE CAUSE: every label counts as real, padding included
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


# %% wrong: mean_of_batches | TRUE CAUSE: the batches' averages are added up unweighted and divided by the number of batches, so each batch counts the same however many tokens it has
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


# %% wrong: weighted_but_over_batches | TRUE CAUSE: each loss is rightly multiplied by its number of real tokens, but the total is divided by the number of batches instead of tokens
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
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    mean = total / len(batches)
    return mean


# %% wrong: unweighted_over_tokens | TRUE CAUSE: the averages of the batches are not multiplied by their tokens before they are added up, but are divided by all tokens in the end
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


# %% wrong: result_is_a_tensor | TRUE CAUSE: losses and counts are added up as tensors and the mean is returned as a tensor instead of a plain float
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            real = (labels != model.pad_id).sum()
            total += loss_fn(log_probs, labels) * real
            tokens += real
    model.train(was_training)
    return total / tokens


# %% wrong: always_back_to_training | TRUE CAUSE: the model is put into training mode at the end, also when it was in eval mode before
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float."""
    model.eval()
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train()
    return total / tokens


# %% wrong: dropout_still_on | TRUE CAUSE: no_grad is taken to be enough: the model is never put into eval mode, so it is measured with dropout on
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    total, tokens = 0.0, 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        log_probs = model(src, decoder_input).log_softmax(dim=-1)
        n = int((labels != model.pad_id).sum())
        total += n * loss_fn(log_probs, labels).item()
        tokens += n
    return total / tokens


# %% wrong: early_mode_and_unshifted | TRUE CAUSE: two mistakes: the mode is remembered only after eval() was called, so the model stays in eval mode, and the labels are those that the decoder reads (not shifted)
def evaluate(model, batches, loss_fn):
    model.eval()
    was_training = model.training
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            labels = tgt[:, :-1]
            log_probs = model(src, labels).log_softmax(dim=-1)
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    model.train(was_training)
    return total / tokens
