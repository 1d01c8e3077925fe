# %% right: own_decorated_helper
def evaluate(model, batches, loss_fn):
    @torch.no_grad()
    def measure(src, tgt):
        x, y = shift_right(tgt)
        n = int((y != model.pad_id).sum())
        return float(loss_fn(F.log_softmax(model(src, x), dim=-1), y)) * n, n
    mode = model.training
    model.eval()
    try:
        found = [measure(src, tgt) for src, tgt in batches]
    finally:
        model.train(mode)
    return sum(value for value, _ in found) / sum(n for _, n in found)
# %% right: eleventh_own_running_mean_try_finally
def evaluate(model, batches, loss_fn):
    found_in = model.training
    mean, seen = 0.0, 0
    try:
        model.eval()
        for src, tgt in batches:
            reads, wanted = shift_right(tgt)
            count = sum(token != model.pad_id for row in wanted.tolist() for token in row)
            if count == 0:
                continue
            with torch.no_grad():
                loss = loss_fn(torch.log_softmax(model(src, reads), -1), wanted).item()
            seen += count
            mean += (loss - mean) * count / seen
    finally:
        model.train(found_in)
    return mean
# %% right: field_epoch_loss_and_iterator
def evaluate(model, iterator, criterion):
    training = model.training
    model.eval()
    epoch_loss, n_tokens = 0, 0
    with torch.no_grad():
        for i, batch in enumerate(iterator):
            src, trg = batch
            output = model(src, trg[:, :-1])
            ntokens = (trg[:, 1:] != model.pad_id).sum()
            loss = criterion(F.log_softmax(output, dim=-1), trg[:, 1:])
            epoch_loss += loss.item() * ntokens.item()
            n_tokens += ntokens.item()
    model.train(training)
    return epoch_loss / n_tokens if n_tokens else 0.0
# %% right: field_inference_mode_and_total_tensors
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    total_loss = torch.tensor(0.0, dtype=torch.float64)
    total_tokens = torch.tensor(0)
    with torch.inference_mode():
        for src, tgt in batches:
            tgt_input, tgt_out = shift_right(tgt)
            logits = model(src, tgt_input)
            count = torch.count_nonzero(tgt_out - model.pad_id)
            total_loss += loss_fn(torch.log_softmax(logits, -1), tgt_out) * count
            total_tokens += count
    model.train(mode)
    return float(total_loss / total_tokens.clamp(min=1))
