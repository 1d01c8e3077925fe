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
