# %% wrong: mean_is_a_tensor | TRUE CAUSE: the number of real labels and the loss stay tensors, so the mean is a tensor and not a plain float
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
            total += loss_fn(log_probs, labels) * real
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean


# %% wrong: counts_what_is_read | TRUE CAUSE: the real tokens are counted in what the decoder reads instead of in the labels, which differs by one in each row that is padded
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


# %% wrong: weighted_by_sentences | TRUE CAUSE: each batch counts by its number of sentences instead of its number of real tokens
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float."""
    was_training = model.training
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            total += loss_fn(log_probs, labels).item() * len(src)
            count += len(src)
    model.train(was_training)
    return total / count


# %% wrong: mode_restored_in_the_loop_and_mean_of_batches | TRUE CAUSE: two mistakes: the mode is set back inside the loop, so from the second batch on a training model is measured with dropout, and the result is the mean of the batches' means
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float.

    It is measured in eval mode and without gradients; model.pad_id tells which labels are real.
    """
    was_training = model.training
    model.eval()
    losses = []
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            losses.append(loss_fn(log_probs, labels).item())
            model.train(was_training)
    return sum(losses) / len(losses)
