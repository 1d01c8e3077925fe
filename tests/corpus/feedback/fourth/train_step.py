# %% wrong: reads_its_labels | TRUE CAUSE: the model reads the labels, that is the very tokens it has to predict
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

# %% wrong: reads_all_of_tgt | TRUE CAUSE: the model is given the whole of tgt and not the window for the decoder, so there is one prediction too many for the labels
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, tgt).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # blank: clip
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()  # blank: result

# %% wrong: compared_with_what_was_read | TRUE CAUSE: the loss compares the predictions with decoder_input, what was just read, and not with the labels
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

# %% wrong: first_group_only | TRUE CAUSE: clips only the parameters of the optimizer's first group, not all of the model's
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

# %% wrong: loss_as_a_tensor | TRUE CAUSE: returns the loss as a tensor, which keeps everything that it was computed from
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

# %% wrong: zeroed_after_backward | TRUE CAUSE: the gradients are zeroed after backward, so nothing is left to learn from
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

# %% wrong: zeroed_at_the_end | TRUE CAUSE: the gradients are zeroed at the end of the step and not before, so those that are left over from before are added in
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    optimizer.zero_grad()
    return float(loss)

# %% wrong: clipped_after_the_step | TRUE CAUSE: the gradients are clipped after the optimizer has used them
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

# %% wrong: schedule_first_sum_returned | TRUE CAUSE: two mistakes: the scheduler moves on before the optimizer has used the rate, and the loss returned is multiplied by the number of labels
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    optimizer.step()
    return loss.item() * labels.numel()
