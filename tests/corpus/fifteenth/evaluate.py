# %% wrong: estimate-loss | two mistakes of nanoGPT's estimate_loss: the batches' losses are averaged as if all batches had equally many real tokens; and at the end the model is put into train mode, whatever mode it was in.
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    model.eval()
    losses = torch.zeros(len(batches))
    for k, (X, Y) in enumerate(batches):
        decoder_input, labels = shift_right(Y)
        logits = model(X, decoder_input)
        loss = loss_fn(logits.log_softmax(dim=-1), labels)
        losses[k] = loss.item()
    out = losses.mean().item()
    model.train()
    return out

# %% wrong: counts-the-first-tokens | the real tokens are counted in tgt and not in the labels: the start token of every sentence is counted as well, so the batches have wrong weights.
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

# %% wrong: gradients-off-for-good | gradients are switched off with torch.set_grad_enabled(False) and never switched on again: the training that goes on afterwards cannot call backward.
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    torch.set_grad_enabled(False)
    sums, counts = [], []
    for src, tgt in batches:
        reads, says = shift_right(tgt)
        loss = loss_fn(model(src, reads).log_softmax(dim=-1), says)
        counts.append(int((says != model.pad_id).sum()))
        sums.append(float(loss) * counts[-1])
    model.train(mode)
    return sum(sums) / sum(counts)

# %% wrong: no-grad-is-not-eval | torch.inference_mode is taken to be eval mode: the model is never put into it, so a model in training is measured with dropout on.
def evaluate(model, batches, loss_fn):
    total_loss, total_tokens = 0.0, 0
    with torch.inference_mode():
        for src, tgt in batches:
            tgt_input, tgt_out = shift_right(tgt)
            log_probs = model(src, tgt_input).log_softmax(dim=-1)
            n_real = tgt_out.ne(model.pad_id).sum().item()
            total_loss += loss_fn(log_probs, tgt_out).item() * n_real
            total_tokens += n_real
    return total_loss / total_tokens

# %% right: weights-and-means
@torch.no_grad()
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.train(False)
    try:
        means, weights = [], []
        for src, tgt in batches:
            reads, says = shift_right(tgt)
            log_probs = F.log_softmax(model(src, reads), dim=-1)
            means.append(loss_fn(log_probs, says).item())
            weights.append(says.ne(model.pad_id).sum().item())
    finally:
        model.train(mode)
    return sum(m * w for m, w in zip(means, weights)) / sum(weights)

# %% right: helper-for-one-batch
def evaluate(model, batches, loss_fn):
    def run_batch(src, tgt):
        tgt_in, tgt_out = shift_right(tgt)
        ntokens = int((tgt_out != model.pad_id).sum())
        loss = loss_fn(model(src, tgt_in).log_softmax(-1), tgt_out)
        return ntokens * float(loss), ntokens
    before = model.training
    try:
        model.eval()
        with torch.no_grad():
            results = [run_batch(src, tgt) for src, tgt in batches]
    finally:
        if before:
            model.train()
        else:
            model.eval()
    total_loss = sum(loss for loss, _ in results)
    total_tokens = sum(n for _, n in results)
    return total_loss / total_tokens
