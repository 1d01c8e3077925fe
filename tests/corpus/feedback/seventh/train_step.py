# %% wrong: clips_first_group_only | TRUE CAUSE: clips only the parameters of the optimizer's first group, so the gradients of weights in other groups are neither counted in the length nor shrunk
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)  # blank: clip
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()  # blank: result

# %% wrong: model_reads_its_labels | TRUE CAUSE: the model is given the labels instead of decoder_input, so at each position it reads the very token that it has to predict
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, labels).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # blank: clip
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()  # blank: result

# %% wrong: schedule_before_step | TRUE CAUSE: the scheduler moves the learning rate on before the optimizer has used it, so every step is taken with the rate of the next one
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    model.zero_grad()
    logits = model(src, decoder_input)
    loss = loss_fn(F.log_softmax(logits, dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    if scheduler is not None:
        scheduler.step()  # set the rate of this step
    optimizer.step()
    return float(loss.detach())
