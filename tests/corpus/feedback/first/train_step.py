# %% wrong: reads_labels | TRUE CAUSE: the model reads the labels instead of the decoder's input, so it sees what it has to say
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, labels).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: loss_tensor | TRUE CAUSE: the loss is returned as the tensor with its graph, not as a plain float
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

# %% wrong: first_group | TRUE CAUSE: only the parameters of the optimizer's first group are clipped, those of the other groups are left as they are
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model.forward(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% wrong: one_by_one | TRUE CAUSE: each parameter's gradient is clipped to max_norm by itself, not all of them together as one long vector
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    dec_in, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(torch.log_softmax(model(src, dec_in), dim=-1), labels)
    loss.backward()
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p.grad is None:
                continue
            norm = p.grad.norm()
            if norm > max_norm:
                p.grad.mul_(max_norm / norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: zero_after_backward | TRUE CAUSE: the gradients are zeroed between backward and the optimizer's step, so nothing is learned
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    loss = loss_fn(F.log_softmax(model(src, decoder_input), dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    optimizer.zero_grad()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: schedule_first | TRUE CAUSE: the scheduler moves on before the optimizer steps, so each step uses the rate of the next one
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad(set_to_none=True)
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(
        [p for group in optimizer.param_groups for p in group["params"]], max_norm
    )
    if scheduler is not None:
        scheduler.step()
    optimizer.step()
    return loss.detach().item()

# %% wrong: loss_of_one | TRUE CAUSE: loss_fn is called without the labels, so it raises a TypeError
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clip_first_and_divide | TRUE CAUSE: two mistakes: the gradients are clipped before backward, when there are none yet; and the returned loss is divided by the number of tokens although it is an average already
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    n_tokens = labels.numel()
    return loss.item() / n_tokens
