# %% wrong: clip_first_group | TRUE CAUSE: only the parameters of the optimizer's first group are clipped (param_groups[0]) instead of all of the model's, so with several groups the norm is that of a part and the gradients of the others stay unclipped
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: divide_by_sentences | TRUE CAUSE: the blank result divides the loss by the number of sentences, although loss_fn gives the average over the real tokens already, so the returned number is N times too small
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item() / len(src)

# %% wrong: own_clip_each_parameter | TRUE CAUSE: each parameter's gradient is clipped to max_norm by its own norm in a loop, instead of all gradients together as one long vector, so their common length can still exceed max_norm and their direction changes
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    reads, wanted = shift_right(target)
    model.zero_grad()
    output = F.log_softmax(model(source, reads), dim=-1)
    loss = loss_fn(output, wanted)
    loss.backward()
    for parameter in model.parameters():
        if parameter.grad is None:
            continue
        size = parameter.grad.norm()
        if size > max_norm:
            parameter.grad *= max_norm / size
    optimizer.step()
    if scheduler:
        scheduler.step()
    return float(loss)

# %% wrong: own_schedule_before_step | TRUE CAUSE: scheduler.step() is called before optimizer.step(), so the weights are moved with the rate of the next step instead of the current one
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def loss_of(src, tgt):
        read, predict = shift_right(tgt)
        return loss_fn(torch.log_softmax(model(src, read), -1), predict)

    for p in model.parameters():
        p.grad = None
    loss = loss_of(*batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    for mover in (scheduler, optimizer):
        if mover is not None:
            mover.step()
    return loss.item()
