# %% wrong: clips_first_group_only | TRUE CAUSE: Only the parameters of optimizer.param_groups[0] are clipped, so with several groups the norm and the shrinking leave out the other weights of the model.
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

# %% wrong: clips_before_backward | TRUE CAUSE: clip_grad_norm_ stands before loss.backward(), when the gradients have just been cleared, so nothing is clipped and the step uses the gradients at full length.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss)

# %% wrong: own_clips_each_parameter_alone | TRUE CAUSE: clip_grad_norm_ is called once per parameter, so each gradient is shrunk by its own length instead of all together as one vector, which changes their direction and lets the total exceed max_norm.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    reads, says = shift_right(target)

    model.zero_grad()
    predicted = F.log_softmax(model(source, reads), dim=-1)
    loss = loss_fn(predicted, says)
    loss.backward()
    for p in model.parameters():
        if p.grad is not None:
            nn.utils.clip_grad_norm_(p, max_norm)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return loss.item()

# %% wrong: own_schedule_moves_first | TRUE CAUSE: The scheduler moves on before the optimizer's step, so each update uses the learning rate that belongs to the next step.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def loss_of(src, tgt):
        reads, says = shift_right(tgt)
        return loss_fn(model(src, reads).log_softmax(-1), says)

    def update():
        if scheduler is not None:
            scheduler.step()
        optimizer.step()

    for p in model.parameters():
        p.grad = None
    loss = loss_of(*batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    update()
    return loss.detach().item()
