# %% wrong: mean-of-the-batches | Averages over the batches (total / len(batches)), as much published code does: a token in a batch with few real tokens then counts more than one in a large batch; the result must be the mean per real token.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    epoch_loss = 0
    try:
        with torch.no_grad():
            for src, trg in batches:
                trg_input, trg_output = shift_right(trg)
                output = model(src, trg_input).log_softmax(dim=-1)
                epoch_loss += loss_fn(output, trg_output).item()
    finally:
        model.train(was_training)
    return epoch_loss / len(batches)

# %% wrong: counts-padding | Weights each batch by all its labels, padding included: labels.numel() instead of the number of labels that are not pad_id, so batches with much padding count too much.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    try:
        with torch.no_grad():
            for src, tgt in batches:
                decoder_input, labels = shift_right(tgt)
                log_probs = model(src, decoder_input).log_softmax(dim=-1)
                real = labels.numel()
                total += loss_fn(log_probs, labels).item() * real
                tokens += real
    finally:
        model.train(was_training)
    mean = total / tokens
    return mean

# %% wrong: counts-the-whole-target | Counts the real tokens of tgt, start tokens included, instead of those of the labels: one too many for each sentence, so batches of many short sentences weigh too much.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    def losses_and_counts():
        for src, tgt in batches:
            reads, says = shift_right(tgt)
            loss = loss_fn(model(src, reads).log_softmax(dim=-1), says)
            yield loss.item(), int(tgt.ne(model.pad_id).sum())
    try:
        model.eval()
        with torch.no_grad():
            pairs = list(losses_and_counts())
    finally:
        model.train(was_training)
    return sum(loss * count for loss, count in pairs) / sum(count for _, count in pairs)

# %% wrong: nanogpt-always-back-to-train | Always puts the model into train mode at the end, as nanoGPT's estimate_loss does; it has to be left in the mode in which it was found, so a model that came in eval mode drops afterwards.
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    model.eval()
    losses, weights = [], []
    for X, Y in batches:
        inp, out = shift_right(Y)
        logits = model(X, inp)
        losses.append(loss_fn(F.log_softmax(logits, dim=-1), out).item())
        weights.append((out != model.pad_id).sum().item())
    model.train()
    return sum(loss * weight for loss, weight in zip(losses, weights)) / sum(weights)

# %% wrong: hf-mean-per-sentence | Repeats each batch's loss once for each sentence and takes the mean, as Hugging Face's Trainer does: batches are weighted by their sentences instead of their real tokens.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    all_losses = []
    try:
        with torch.no_grad():
            for src, tgt in batches:
                observed_batch_size = src.size(0)
                inputs, labels = shift_right(tgt)
                loss = loss_fn(model(src, inputs).log_softmax(dim=-1), labels)
                all_losses.append(loss.detach().repeat(observed_batch_size))
    finally:
        model.train(was_training)
    return torch.cat(all_losses).mean().item()

# %% wrong: no-eval-and-a-tensor | Two mistakes. Takes no_grad for eval mode and never calls model.eval(), so dropout is on while it measures; and returns a tensor instead of a plain float.
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    sums, counts = [], []
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        count = torch.count_nonzero(labels != model.pad_id)
        sums.append(count * loss_fn(model(src, decoder_input).log_softmax(-1), labels))
        counts.append(count)
    return torch.stack(sums).sum() / torch.stack(counts).sum()

# %% right: weighted-by-tensor
def evaluate(model, batches, loss_fn):
    mode = model.training
    @torch.no_grad()
    def measure(src, tgt):
        reads, wanted = shift_right(tgt)
        loss = loss_fn(torch.log_softmax(model(src, reads), dim=-1), wanted)
        return float(loss), int((wanted != model.pad_id).sum())
    model.train(False)
    try:
        found = torch.tensor([measure(src, tgt) for src, tgt in batches], dtype=torch.float64)
    finally:
        model.train(mode)
    losses, tokens = found.unbind(dim=1)
    return ((losses * tokens).sum() / tokens.sum()).item()
