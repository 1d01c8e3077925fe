# %% wrong: real_tokens_of_whole_target | TRUE CAUSE: counts the tokens of tgt that are not padding instead of those of labels, so the start token of each row, which is never predicted, counts as well and rows weigh too much
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

# %% wrong: mean_of_batches_and_always_train | TRUE CAUSE: two mistakes: averages the losses of the batches without weighing them by their real tokens, and puts the model into training mode at the end whatever mode it was in
def evaluate(model, batches, loss_fn):
    model.eval()
    losses = []
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            losses.append(loss_fn(log_probs, labels).item())
    model.train()
    return sum(losses) / len(losses)

# %% wrong: real_is_a_mask | TRUE CAUSE: real is kept as a mask of booleans, as in LabelSmoothing, instead of the number of real tokens, so tokens becomes a table by position (and the mean is no float; batches of different shapes do not add up)
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
            real = labels != model.pad_id
            total += loss_fn(log_probs, labels).item() * real.sum().item()
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean
