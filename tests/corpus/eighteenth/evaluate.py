# %% wrong: mean-of-batches | The means of the batches are averaged, each with the same weight (epoch_loss / len(batches)), instead of each being weighted by its number of real tokens: a token in a batch with few of them counts more.
def evaluate(model, iterator, loss_fn):
    training = model.training
    model.eval()
    epoch_loss = 0
    try:
        with torch.no_grad():
            for src, trg in iterator:
                trg_input, trg = shift_right(trg)
                output = model(src, trg_input).log_softmax(dim=-1)
                epoch_loss += loss_fn(output, trg).item()
    finally:
        model.train(training)
    return epoch_loss / len(iterator)

# %% wrong: back-to-train-mode | At the end the model is always put in train mode, as in nanoGPT's estimate_loss, instead of in the mode in which it was found: a model that came in eval mode leaves with its dropout on.
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    model.eval()
    losses, counts = [], []
    for X, Y in batches:
        idx, targets = shift_right(Y)
        log_probs = F.log_softmax(model(X, idx), dim=-1)
        losses.append(loss_fn(log_probs, targets).item())
        counts.append((targets != model.pad_id).sum().item())
    model.train()
    return sum(loss * count for loss, count in zip(losses, counts, strict=True)) / sum(counts)

# %% wrong: no-grad-is-not-eval | The model is never put in eval mode; torch.no_grad only stops recording for gradients and does not switch dropout off, so a model in train mode is measured with dropout on.
def evaluate(model, batches, loss_fn):
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            real = labels.ne(model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    return total / tokens

# %% wrong: counted-what-is-read | The real tokens are counted in the decoder's input and not in the labels: a sentence that is followed by padding has one token more there (its start token is counted, and its end token is not cut off), so sentences are weighted, and the total is divided, by a wrong number of tokens wherever there is padding.
def evaluate(model, batches, loss_fn):
    def of_one(src, tgt):
        reads, says = shift_right(tgt)
        log_probs = model(src, reads).log_softmax(dim=-1)
        count = int((reads != model.pad_id).sum())
        return float(loss_fn(log_probs, says)) * count, count
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            sums = [of_one(src, tgt) for src, tgt in batches]
    finally:
        model.train(mode)
    total, tokens = (sum(column) for column in zip(*sums, strict=True))
    return total / tokens

# %% wrong: all-labels-stays-in-eval | Two mistakes. Each batch is weighted by the number of all its labels, padding included (labels.numel()), and not by its real tokens (model.pad_id tells which); and the model is left in eval mode, whatever mode it was in, so a training that goes on has no dropout.
def evaluate(model, batches, loss_fn):
    model.eval()
    total_loss = 0.0
    total_tokens = 0
    with torch.no_grad():
        for src, tgt in batches:
            tgt_input, tgt_out = shift_right(tgt)
            log_probs = torch.log_softmax(model(src, tgt_input), dim=-1)
            loss = loss_fn(log_probs, tgt_out)
            ntokens = tgt_out.numel()
            total_loss += loss.item() * ntokens
            total_tokens += ntokens
    return total_loss / total_tokens

# %% right: two-columns
def evaluate(model, batches, loss_fn):
    def weighted():
        for src, tgt in batches:
            reads, says = shift_right(tgt)
            loss = loss_fn(F.log_softmax(model(src, reads), dim=-1), says)
            count = says.ne(model.pad_id).sum().item()
            yield loss.item() * count, count
    found_in = model.training
    try:
        model.train(False)
        with torch.no_grad():
            columns = list(zip(*weighted(), strict=True))
    finally:
        model.train(found_in)
    losses, counts = columns
    return math.fsum(losses) / sum(counts)

# %% right: running-mean
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    was_training, mean, seen = model.training, 0.0, 0
    model.eval()
    try:
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            output = model(src, decoder_input)
            loss = loss_fn(output.log_softmax(dim=-1), labels).item()
            real = int(torch.count_nonzero(labels != model.pad_id))
            seen += real
            if real:
                mean += (loss - mean) * real / seen
    finally:
        model.train(was_training)
    return mean
