# %% wrong: loss_as_tensor | TRUE CAUSE: The loss is returned as the tensor itself, which holds on to the graph, instead of as a float.
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
    return loss

# %% wrong: first_group_only | TRUE CAUSE: Only the gradients of the optimizer's first group of weights are clipped, not those of all groups together.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(*(src, decoder_input)).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels.contiguous())
    loss.backward()
    nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% wrong: zero_at_the_end | TRUE CAUSE: The gradients are zeroed after the step instead of before backward, so gradients left over from before the call are added to the first step.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    inputs, labels = shift_right(tgt)
    loss = loss_fn(F.log_softmax(model(src, inputs), dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_([p for g in optimizer.param_groups for p in g["params"]], max_norm)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if scheduler:
        scheduler.step()
    return loss.item()

# %% wrong: schedule_first_and_total | TRUE CAUSE: Two mistakes: the scheduler moves on before the optimizer has used the rate; and what is returned is the loss times the number of labels, not the loss per token.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """One step of gradient descent."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    if scheduler is not None:
        scheduler.step()  # set the rate of this step
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item() * labels.numel()
