# %% wrong: clips_first_group_only | TRUE CAUSE: passes the parameters of the optimizer's first group to clip_grad_norm_, so with several groups the gradients of the other groups are neither counted in the norm nor shrunk
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

# %% wrong: loss_after_the_step | TRUE CAUSE: the returned number is computed by a second forward pass after optimizer.step, so it is the loss of the updated model and not the loss that was learned from
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
    with torch.no_grad():
        log_probs = model(src, decoder_input).log_softmax(dim=-1)
    return loss_fn(log_probs, labels).item()

# %% wrong: own_each_parameter_clipped_by_itself | TRUE CAUSE: the loop limits the norm of each parameter's gradient separately to max_norm, where all gradients together are one vector that is limited
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    x, y = batch
    y_in, y_out = shift_right(y)
    model.zero_grad()
    logits = model(x, y_in)
    cost = loss_fn(F.log_softmax(logits, -1), y_out)
    cost.backward()
    for p in model.parameters():
        if p.grad is None:
            continue
        length = p.grad.norm()
        if length > max_norm:
            p.grad *= max_norm / length
    optimizer.step()
    if scheduler:
        scheduler.step()
    return float(cost)

# %% wrong: own_rate_moves_before_the_weights | TRUE CAUSE: calls scheduler.step before optimizer.step, so each step is taken with the learning rate that belongs to the next one
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def predict(source, prefix):
        return torch.log_softmax(model(source, prefix), dim=2)

    source, target = batch
    prefix, following = shift_right(target)
    value = loss_fn(predict(source, prefix), following)

    for each in (model, optimizer):
        each.zero_grad()
    value.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)

    movers = [mover for mover in (scheduler, optimizer) if mover is not None]
    for mover in movers:
        mover.step()
    return value.detach().item()
