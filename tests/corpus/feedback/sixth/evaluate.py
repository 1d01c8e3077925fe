# %% wrong: real_counted_in_the_input | TRUE CAUSE: the real tokens are counted in decoder_input instead of in the labels, so each padded sentence counts one token too many
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

# %% wrong: mean_of_the_batches | TRUE CAUSE: averages the batches' means, each batch counting the same, instead of weighting each by its real tokens
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

# %% wrong: always_back_to_training | TRUE CAUSE: puts the model in training mode at the end, whatever mode it was found in
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float."""
    model.eval()
    total, tokens = 0.0, 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        log_probs = model(src, decoder_input).log_softmax(dim=-1)
        real = int((labels != model.pad_id).sum())
        total += real * float(loss_fn(log_probs, labels))
        tokens += real
    model.train()
    return total / tokens

