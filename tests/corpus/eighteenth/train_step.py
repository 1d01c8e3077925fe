# %% wrong: clipped-too-early | clip_grad_norm_ comes before loss.backward(), when the gradients have just been set to None (or zero): there is nothing to clip yet, and the gradients with which the optimizer steps are of any length. It has to come between backward and step.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    reads, labels = shift_right(tgt)
    loss = loss_fn(F.log_softmax(model(src, reads), dim=-1), labels)
    model.zero_grad(set_to_none=True)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: reads-its-labels | The decoder is given the labels instead of the decoder's input, so it reads at each position the very token that it has to predict and only needs to copy it.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, trg = batch
    optimizer.zero_grad()
    trg_input, trg = shift_right(trg)
    output = model(src, trg)
    output = output.log_softmax(dim=-1)
    loss = loss_fn(output, trg)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return loss.item()

# %% wrong: each-parameter-clipped | Each parameter's gradient is clipped by itself to max_norm, in a loop, instead of all gradients together as one long vector: together they can be longer than max_norm, and the direction of the step changes.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def loss_of_batch():
        log_probs = model(src, decoder_input).log_softmax(dim=-1)
        return loss_fn(log_probs, labels)
    optimizer.zero_grad()
    loss = loss_of_batch()
    loss.backward()
    for parameter in model.parameters():
        nn.utils.clip_grad_norm_(parameter, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss)

# %% wrong: schedule-first | The scheduler moves on before the optimizer steps, so every step, beginning with the first, is taken with the learning rate of the step after it; the lesson says that the rate moves on after the optimizer has used it.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    tgt, tgt_y = shift_right(tgt)
    out = model(src, tgt)
    loss = loss_fn(torch.log_softmax(out, dim=-1), tgt_y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    optimizer.step()
    return loss.item()

# %% wrong: softmax-over-positions | The log-softmax is taken over dim=1, which is the axis of the positions in (N, T - 1, V), instead of over the vocabulary, the last axis: at each position the "probabilities" of the tokens do not sum to 1, and positions compete with one another.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    to_log_probs = nn.LogSoftmax(dim=1)
    optimizer.zero_grad()
    logits = model(src, decoder_input)
    loss = loss_fn(to_log_probs(logits), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: fixed-norm-and-tensor | Two mistakes. The gradients are always clipped to a length of 1.0, a constant of the code, whatever max_norm says; and the loss is returned as a tensor (detach frees the graph, but it is still no float), where a plain float is asked for.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    grad_norm_clip = 1.0
    src, tgt = batch
    x, y = shift_right(tgt)
    log_probs = model(src, x).log_softmax(-1)
    loss = loss_fn(log_probs, y)
    model.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), grad_norm_clip)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.detach()

# %% right: late-zero
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    inputs, labels = shift_right(batch[1])
    loss = loss_fn(F.log_softmax(model(batch[0], inputs), dim=-1), labels)
    for parameter in model.parameters():
        parameter.grad = None
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    for moves_on in (optimizer, scheduler):
        if moves_on is not None:
            moves_on.step()
    return float(loss.detach())
