# %% wrong: decoder_reads_labels | TRUE CAUSE: the decoder reads the labels, that is, the tokens that it has to predict, instead of decoder_input
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


# %% wrong: returns_detached_tensor | TRUE CAUSE: the loss is returned as a detached tensor, not as a plain float
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
    return loss.detach()  # blank: result


# %% wrong: clip_before_backward_schedule_before_step | TRUE CAUSE: two mistakes: the gradients are clipped before backward has made them, so they are not clipped at all, and the scheduler moves on before the optimizer has used the rate
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    model.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    if scheduler is not None:
        scheduler.step()
    optimizer.step()
    return loss.item()
