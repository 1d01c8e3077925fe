# %% wrong: model_reads_the_labels | TRUE CAUSE: the decoder is given the labels, that is, the very tokens it has to predict, instead of decoder_input
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

# %% wrong: first_group_clipped | TRUE CAUSE: clips only the optimizer's first group of weights, not all of the model's gradients together
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

# %% wrong: zeroed_at_the_end | TRUE CAUSE: zero_grad comes after the step instead of before backward, so gradients left over from before the call are added to the first step
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    optimizer.zero_grad()  # clean for the next batch
    return loss.item()

