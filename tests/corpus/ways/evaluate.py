# %% right: lists_and_sums
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    losses, counts = [], []
    with torch.inference_mode():
        for src, tgt in batches:
            reads, says = shift_right(tgt)
            predicted = F.log_softmax(model(src, reads), dim=-1)
            losses.append(float(loss_fn(predicted, says)))
            counts.append(int(torch.count_nonzero(says != model.pad_id)))
    model.train(mode)
    return sum(loss * count for loss, count in zip(losses, counts)) / sum(counts)

# %% right: running_mean
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    """Return the mean loss per real token over all batches of (src, tgt), as a float."""
    was_training = model.training
    model.eval()
    mean, tokens = 0.0, 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        real = labels.ne(model.pad_id).sum().item()
        if real == 0:
            continue
        loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels).item()
        tokens += real
        mean += (loss - mean) * real / tokens
    if was_training:
        model.train()
    return mean
