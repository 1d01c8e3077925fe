# %% wrong: mean-of-batches | Averages the batches' mean losses, each batch alike. The result is per real token, so each batch's loss has to be weighted by its number of real tokens.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    losses = []
    try:
        with torch.no_grad():
            for src, tgt in batches:
                decoder_input, labels = shift_right(tgt)
                log_probs = model(src, decoder_input).log_softmax(dim=-1)
                losses.append(loss_fn(log_probs, labels).item())
    finally:
        model.train(was_training)
    return sum(losses) / len(losses)

# %% wrong: padding-counted | Weights by labels.numel(), all labels with the padding among them. Only the real ones count, all but model.pad_id.
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

# %% wrong: always-back-to-train | Sets the model to train mode at the end, whatever its mode was before. It has to be left in the mode in which it was found.
def evaluate(model, batches, loss_fn):
    model.eval()
    loss_sum, count = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            reads, says = shift_right(tgt)
            out = F.log_softmax(model(src, reads), dim=-1)
            n = (says != model.pad_id).sum().item()
            loss_sum += n * loss_fn(out, says).item()
            count += n
    model.train()
    return loss_sum / count

# %% wrong: whole-target-counted | Counts the real tokens in tgt, where <bos> is one of them, instead of in the labels, so every batch's weight is too large by its number of sentences.
def evaluate(model, batches, loss_fn):
    @torch.no_grad()
    def one(src, tgt):
        decoder_input, labels = shift_right(tgt)
        loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
        return loss.item(), int((tgt != model.pad_id).sum())
    was_training = model.training
    model.eval()
    try:
        pairs = [one(src, tgt) for src, tgt in batches]
    finally:
        model.train(was_training)
    return sum(loss * count for loss, count in pairs) / sum(count for _, count in pairs)

# %% wrong: unweighted-sum-over-tokens | Adds up the batches' average losses as they are and divides by the number of tokens. An average has to be multiplied by its batch's tokens before; so the result is too small by about the size of a batch.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    try:
        with torch.no_grad():
            for src, tgt in batches:
                decoder_input, labels = shift_right(tgt)
                log_probs = model(src, decoder_input).log_softmax(dim=-1)
                real = (labels != model.pad_id).sum().item()
                total += loss_fn(log_probs, labels).item()
                tokens += real
    finally:
        model.train(was_training)
    return total / tokens

# %% wrong: average-meter-of-sentences | Keeps a running average weighted by the number of sentences, src.size(0), as an AverageMeter for images does. The weight has to be the number of real tokens.
def evaluate(model, batches, loss_fn):
    class AverageMeter:
        def __init__(self):
            self.sum, self.count = 0.0, 0
        def update(self, val, n=1):
            self.sum += val * n
            self.count += n
    losses = AverageMeter()
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            for src, tgt in batches:
                tgt_in, tgt_out = shift_right(tgt)
                output = model(src, tgt_in).log_softmax(-1)
                losses.update(loss_fn(output, tgt_out).item(), src.size(0))
    finally:
        model.train(mode)
    return losses.sum / losses.count

# %% wrong: gradients-left-off | Switches gradients off with torch.set_grad_enabled(False) and never on again, so the training that goes on after it cannot run backward; torch's settings have to stay as they were.
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    torch.set_grad_enabled(False)
    total, tokens = 0.0, 0
    for src, tgt in batches:
        decoder_input, labels = shift_right(tgt)
        log_probs = model(src, decoder_input).log_softmax(dim=-1)
        real = labels.ne(model.pad_id).sum().item()
        total += loss_fn(log_probs, labels).item() * real
        tokens += real
    model.train(was_training)
    return total / tokens

# %% wrong: two-train-mode-and-perplexity | Two mistakes. Never puts the model into eval mode, so dropout is on while it is measured (if it comes in train mode); and returns e to the mean loss, the perplexity, where the mean loss is asked for.
def evaluate(model, batches, loss_fn):
    total, tokens = 0.0, 0
    with torch.no_grad():
        for src, tgt in batches:
            decoder_input, labels = shift_right(tgt)
            log_probs = model(src, decoder_input).log_softmax(dim=-1)
            real = (labels != model.pad_id).sum().item()
            total += loss_fn(log_probs, labels).item() * real
            tokens += real
    return math.exp(total / tokens)

# %% right: two-lists
def evaluate(model, batches, loss_fn):
    mode, losses, weights = model.training, [], []
    try:
        model.train(False)
        with torch.inference_mode():
            for source, target in batches:
                reads, says = shift_right(target)
                losses.append(float(loss_fn(F.log_softmax(model(source, reads), -1), says)))
                weights.append(says.ne(model.pad_id).sum().item())
    finally:
        model.train(mode)
    return sum(a * b for a, b in zip(losses, weights, strict=True)) / sum(weights)

# %% right: running-mean
def evaluate(model, batches, loss_fn):
    was_training = model.training
    model.eval()
    mean, seen = 0.0, 0
    @torch.no_grad()
    def measure(src, tgt):
        decoder_input, labels = shift_right(tgt)
        output = model(src, decoder_input)
        loss = loss_fn(output - output.logsumexp(dim=-1, keepdim=True), labels)
        return loss.item(), (labels != model.pad_id).sum().item()
    try:
        for src, tgt in batches:
            loss, real = measure(src, tgt)
            seen += real
            mean += (loss - mean) * real / max(seen, 1)
    finally:
        model.train(was_training)
    return mean
