# %% wrong: reads-the-labels | Lets the decoder read the labels instead of decoder_input: at each position it reads the very token that it has to predict, so it learns to copy.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, labels).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: zero-after-backward | Zeroes the gradients after backward, which throws away the ones just computed: the optimizer gets none, and the weights do not move; zeroing comes before backward.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, trg = batch
    trg_input, trg_output = shift_right(trg)
    output = model(src, trg_input).log_softmax(dim=-1)
    loss = loss_fn(output, trg_output)
    loss.backward()
    optimizer.zero_grad()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: each-parameter-alone | Clips each parameter's gradient by itself: max_norm is meant for all of them together, as one long vector, so several gradients may be too long together, and the direction of the step changes.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    model.zero_grad()
    src, tgt = batch
    reads, predicts = shift_right(tgt)
    loss = loss_fn(F.log_softmax(model(src, reads), dim=-1), predicts)
    loss.backward()
    for weight in model.parameters():
        nn.utils.clip_grad_norm_(weight, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss)

# %% wrong: averaged-twice | Divides the loss by the number of tokens once more, as the Annotated Transformer's SimpleLossCompute does with a summed loss; loss_fn here returns the average already, so the gradients are far too small (the returned number is multiplied back and looks right).
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    class SimpleLossCompute:
        def __call__(self, x, y, norm):
            sloss = loss_fn(x, y) / norm
            return sloss.item() * norm, sloss
    src, tgt = batch
    tgt_in, tgt_y = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    out = model(src, tgt_in).log_softmax(dim=-1)
    loss, loss_node = SimpleLossCompute()(out, tgt_y, tgt_y.numel())
    loss_node.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss

# %% wrong: schedule-first-and-a-tensor | Two mistakes. Moves the schedule on before the optimizer has used its rate (the order of PyTorch before 1.1), so the first rate is skipped; and returns a detached tensor instead of a plain float.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    if scheduler is not None:
        scheduler.step()
    optimizer.zero_grad()
    src, tgt = batch
    given, wanted = shift_right(tgt)
    loss = loss_fn(model(src, given).log_softmax(-1), wanted)
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    return loss.detach()

# %% wrong: clipped-before-backward | Clips before backward: at that point the gradients are zero or missing, so nothing is clipped, and those that backward then computes reach the optimizer at full length.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    prompt, answer = shift_right(target)
    def fresh_gradients():
        optimizer.zero_grad()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    fresh_gradients()
    loss = loss_fn(torch.log_softmax(model(source, prompt), dim=-1), answer)
    loss.backward()
    optimizer.step()
    if scheduler:
        scheduler.step()
    return loss.item()

# %% right: closure
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def closure():
        optimizer.zero_grad()
        loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        return loss
    loss = optimizer.step(closure)
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: nanogpt-set-to-none
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    X, (inp, Y) = batch[0], shift_right(batch[1])
    model.zero_grad(set_to_none=True)
    logits = model(X, inp)
    loss = loss_fn(F.log_softmax(logits, dim=-1), Y)
    loss.backward()
    weights = [p for p in model.parameters() if p.grad is not None]
    torch.nn.utils.clip_grad_norm_(weights, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    lossf = float(loss.detach())
    return lossf
