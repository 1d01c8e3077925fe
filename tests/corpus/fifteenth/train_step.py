# %% wrong: zeroed-after-backward | the gradients are set to zero between backward and the optimizer's step: there is nothing left to step with, so the model never learns.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    prediction = model(src, decoder_input)
    loss = loss_fn(prediction.log_softmax(dim=-1), labels)
    loss.backward()
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clipped-one-by-one | each parameter's gradient is clipped by itself to max_norm; all together are to be clipped as one long vector, so together they can still be longer, and their direction changes.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    reads, says = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    loss = loss_fn(F.log_softmax(model(src, reads), dim=-1), says)
    loss.backward()
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            nn.utils.clip_grad_norm_(parameter, max_norm)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return float(loss)

# %% wrong: normalized-twice | as in the Annotated Transformer's loss computation the loss is divided by the number of tokens, but loss_fn gives the average already: loss and gradient are too small by that number.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    out = model(src, decoder_input).log_softmax(dim=-1)
    norm = labels.numel()
    loss = loss_fn(out, labels) / norm
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: classes-on-axis-one | the log-probabilities are transposed to (N, V, T), as nn.CrossEntropyLoss wants them; loss_fn is to be called as LabelSmoothing is, with (N, T, V), so the numbers get mixed up (or the shapes do not fit).
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, trg = batch
    trg_in, trg_out = shift_right(trg)
    optimizer.zero_grad()
    output = model(src, trg_in).log_softmax(dim=-1)
    output = output.permute(0, 2, 1)
    loss = loss_fn(output, trg_out)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: rate-moves-first-and-fixed-clip | two mistakes: the scheduler steps before the optimizer, so each step is made with the rate of the next one; and the gradients are clipped to 1.0, whatever max_norm says.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    given, wanted = shift_right(target)
    model.zero_grad()
    loss = loss_fn(model(source, given).log_softmax(dim=-1), wanted)
    loss.backward()
    gradients = [p for p in model.parameters() if p.grad is not None]
    nn.utils.clip_grad_norm_(gradients, 1.0)
    for mover in (scheduler, optimizer):
        if mover is not None:
            mover.step()
    return loss.item()

# %% wrong: reads-its-labels | the model is given the labels instead of the decoder's input: each position reads the very token that it has to predict.
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

# %% right: grads-set-to-none
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    dec_in, gold = shift_right(tgt)
    for parameter in model.parameters():
        parameter.grad = None
    logp = F.log_softmax(model(src, dec_in), dim=-1)
    loss = loss_fn(logp, gold)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
