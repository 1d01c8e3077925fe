# %% wrong: real_counted_in_tgt | TRUE CAUSE: the real tokens are counted in the whole target, with its start token, instead of in the labels, so each sentence counts one token too many
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


# %% wrong: always_back_to_train | TRUE CAUSE: the model is put in train mode at the end, whatever mode it was in before
def evaluate(model, batches, loss_fn):
    total, tokens = 0.0, 0
    model.eval()
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            real = (labels != model.pad_id).sum().item()
            total = total + real * loss_fn(log_probs, labels).item()
            tokens = tokens + real
    model.train()
    return total / tokens


# %% wrong: average_loss_not_weighted | TRUE CAUSE: the average loss of a batch is added as if it were a sum over its tokens, not multiplied by their number, and then divided by the number of all tokens
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
