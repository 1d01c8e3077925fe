# %% wrong: clips_the_first_group_only | TRUE CAUSE: the clipping gets only the optimizer's first group of weights instead of all of the model's parameters
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


# %% wrong: average_divided_once_more | TRUE CAUSE: the loss that is returned is divided by the number of labels, although loss_fn gives the average per real token already
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # blank: clip
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item() / labels.numel()  # blank: result


# %% wrong: schedule_before_the_optimizer | TRUE CAUSE: the scheduler moves the rate on before the optimizer has used it
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    if scheduler is not None:
        scheduler.step()
    model.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()


# %% wrong: zeroed_at_the_end_and_clipped_by_value | TRUE CAUSE: two mistakes: the gradients are zeroed at the end of the step, so those left over from before are added in, and each number is clipped by clip_grad_value_ instead of the length of all together
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    model.zero_grad()
    return loss.item()
