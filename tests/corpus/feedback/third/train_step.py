# %% wrong: reads_the_labels | TRUE CAUSE: the decoder is given the labels, so it reads at each position the very token that it has to predict
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


# %% wrong: loss_against_input | TRUE CAUSE: the loss compares the predictions with what the decoder has just read instead of the labels
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, decoder_input)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # blank: clip
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()  # blank: result


# %% wrong: clips_first_group_only | TRUE CAUSE: only the first parameter group of the optimizer is clipped, not all gradients of the model
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


# %% wrong: returns_the_tensor | TRUE CAUSE: the loss is returned as a tensor with its graph instead of a plain float
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
    return loss  # blank: result


# %% wrong: divided_by_tokens_again | TRUE CAUSE: the returned loss is divided by the number of labels once more, although loss_fn gives the average per real token already
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


# %% wrong: zero_after_backward | TRUE CAUSE: the gradients are zeroed between backward and the step, so the optimizer moves nothing (or the weights by nothing but zeros)
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% wrong: clips_after_the_step | TRUE CAUSE: the gradients are clipped after the optimizer has used them, which is too late
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% wrong: softmax_and_fixed_norm | TRUE CAUSE: two mistakes: softmax instead of log-softmax, so the loss gets probabilities, and the norm to clip at is always 1 whatever max_norm says
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    probs = torch.softmax(model(src, decoder_input), dim=-1)
    loss = loss_fn(probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return float(loss)


# %% wrong: no_zero_grad | TRUE CAUSE: the gradients left over from before are never zeroed, so backward adds to them
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    reads, says = shift_right(tgt)

    out = model(src, reads)
    loss = loss_fn(F.log_softmax(out, dim=-1), says)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% wrong: schedule_before_step | TRUE CAUSE: the scheduler moves on before the optimizer has used the rate, so each step is taken with the rate of the next one
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    if scheduler is not None:
        scheduler.step()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
