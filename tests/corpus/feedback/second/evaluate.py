# %% wrong: mean_of_batch_means | TRUE CAUSE: The batches' averages are added up unweighted and divided by the number of batches, so a small batch counts as much as a large one.
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
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item()
            tokens += real
    model.train(was_training)
    mean = total / len(batches)
    return mean

# %% wrong: counts_source_tokens | TRUE CAUSE: The real tokens are counted in the source instead of in the labels, so the batches are weighted with the wrong numbers.
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
            real = int(src.ne(model.pad_id).sum())
            total += real * float(loss_fn(log_probs, labels))
            tokens += real
    model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: always_back_to_train | TRUE CAUSE: At the end the model is put into train mode in any case, instead of into the mode in which it was found.
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    model.eval()
    losses, weights = [], []
    for src, tgt in batches:
        inputs, labels = shift_right(tgt)
        log_probs = F.log_softmax(model(src, inputs), dim=-1)
        weights.append((labels != model.pad_id).sum().item())
        losses.append(loss_fn(log_probs, labels).item())
    model.train()
    return sum(w * one for w, one in zip(weights, losses)) / sum(weights)

# %% wrong: misspelt_pad_id | TRUE CAUSE: The attribute is misspelt (padding_id instead of pad_id), which is an AttributeError.
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    summed = 0.0
    count = 0
    with torch.inference_mode():
        for source, target in batches:
            decoder_input, labels = shift_right(target)
            n = (labels != model.padding_id).sum().item()
            loss = loss_fn(model(source, decoder_input).log_softmax(-1), labels)
            summed = summed + n * loss.item()
            count = count + n
    model.train(mode)
    return summed / count
