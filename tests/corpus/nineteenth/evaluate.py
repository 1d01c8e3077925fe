# %% wrong: mean-of-batches | Averages the losses of the batches, all alike, as PyTorch's tutorials do, so a token counts more in a batch with few real tokens; each batch's loss has to be weighted by its number of real tokens.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    total_loss = 0.0
    try:
        with torch.no_grad():
            for src, tgt in batches:
                decoder_input, labels = shift_right(tgt)
                log_probs = model(src, decoder_input).log_softmax(dim=-1)
                total_loss += loss_fn(log_probs, labels).item()
    finally:
        model.train(was_training)
    return total_loss / len(batches)

# %% wrong: start-tokens-counted | Weights by the real tokens of the whole target, <bos> among them, but the loss averages over the labels, which lack it: each batch's weight is too large by its number of sentences. Real tokens have to be counted in the labels.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    try:
        with torch.no_grad():
            for src, tgt in batches:
                decoder_input, labels = shift_right(tgt)
                log_probs = model(src, decoder_input).log_softmax(dim=-1)
                real = (tgt != model.pad_id).sum().item()
                total += loss_fn(log_probs, labels).item() * real
                tokens += real
    finally:
        model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: weighted-by-sentences | Weights each batch's mean by its number of sentences, as an AverageMeter for images does; the mean per real token needs the number of real tokens in the labels as the weight.
def evaluate(model, batches, loss_fn):
    class Meter:
        sum, count = 0.0, 0
        def update(self, value, n):
            self.sum += value * n
            self.count += n
    meter, mode = Meter(), model.training
    model.eval()
    try:
        with torch.no_grad():
            for src, tgt in batches:
                read, labels = shift_right(tgt)
                loss = loss_fn(F.log_softmax(model(src, read), dim=-1), labels)
                meter.update(loss.item(), src.size(0))
    finally:
        model.train(mode)
    return meter.sum / meter.count

# %% wrong: gradients-left-off | Switches gradients off for all of torch and never on again, so the training that continues afterwards records no gradients; a part leaves torch's settings as they were (with torch.no_grad(): does).
def evaluate(model, batches, loss_fn):
    torch.set_grad_enabled(False)
    was_training = model.training
    model.eval()
    sums, counts = [], []
    try:
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            counts.append(int((labels != model.pad_id).sum()))
            sums.append(float(loss_fn(log_probs, labels)) * counts[-1])
    finally:
        model.train(was_training)
    return sum(sums) / sum(counts)

# %% wrong: padding-counted-always-train | Two mistakes. The weight of a batch is the number of all its labels, padding among them, where only real tokens count; and afterwards the model is put in train mode in any case, where it has to be left in the mode in which it was found.
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    model.eval()
    total, tokens = 0.0, 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        logits = model(src, decoder_input)
        loss = loss_fn(logits.log_softmax(dim=-1), labels)
        total += loss.item() * labels.numel()
        tokens += labels.numel()
    model.train()
    return total / tokens

# %% right: pairs-then-sums
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    mode = model.training
    def measured(src, tgt):
        read, labels = shift_right(tgt)
        count = torch.count_nonzero(labels - model.pad_id).item()
        return loss_fn(model(src, read).log_softmax(-1), labels).item(), count
    try:
        model.eval()
        pairs = [measured(src, tgt) for src, tgt in batches]
    finally:
        model.train(mode)
    return sum(mean * count for mean, count in pairs) / sum(count for _, count in pairs)
