# %% wrong: softmax_in_half | TRUE CAUSE: the output is not converted, so the log-softmax and the loss are computed in 16 bits where dtype is a 16-bit one
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    """Take a train_step whose matrix products are computed in dtype; None leaves float32.

    The scaler multiplies the loss, so that small gradients are not lost in float16; a disabled
    one changes nothing. The log-softmax and the loss are computed in float32. Returns the loss
    per real token, as a float and without the scale.
    """
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.log_softmax(dim=-1), labels)  # blank: float32

    scaler.scale(loss).backward()  # blank: scaled_loss
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients; blank: true_gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: plain_backward | TRUE CAUSE: the loss is not scaled before backward, but the gradients are divided by the scale all the same (too small then; a scaler that never scaled refuses)
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    """Take a train_step whose matrix products are computed in dtype; None leaves float32.

    The scaler multiplies the loss, so that small gradients are not lost in float16; a disabled
    one changes nothing. The log-softmax and the loss are computed in float32. Returns the loss
    per real token, as a float and without the scale.
    """
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)  # blank: float32

    loss.backward()  # blank: scaled_loss
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients; blank: true_gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: optimizer_steps_itself | TRUE CAUSE: optimizer.step() in place of scaler.step(optimizer): a step with infinite gradients is taken, not left out
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    """Take a train_step whose matrix products are computed in dtype; None leaves float32.

    The scaler multiplies the loss, so that small gradients are not lost in float16; a disabled
    one changes nothing. The log-softmax and the loss are computed in float32. Returns the loss
    per real token, as a float and without the scale.
    """
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)  # blank: float32

    scaler.scale(loss).backward()  # blank: scaled_loss
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients; blank: true_gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    optimizer.step()  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: clips_scaled_gradients | TRUE CAUSE: clips before unscaling (scaler.step unscales by itself, after the clip): the norm that is clipped is that of the gradients times the scale
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(F.log_softmax(output.float(), dim=-1), labels)

    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: returns_scaled_loss | TRUE CAUSE: the name loss is overwritten with the scaled loss, so what is returned is the loss times the scale
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    log_probs = output.to(torch.float32).log_softmax(dim=-1)
    loss = scaler.scale(loss_fn(log_probs, labels))
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: update_before_step | TRUE CAUSE: scaler.update() is called before scaler.step(optimizer): the scaler forgets that it has unscaled (and what was infinite), so step divides the gradients once more
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)

    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.update()
    scaler.step(optimizer)
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: autocast_always_on | TRUE CAUSE: autocast is entered without dtype and enabled, so the model runs in 16 bits even where dtype is None
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    """Take a train_step whose matrix products are computed in dtype; None leaves float32.

    The scaler multiplies the loss, so that small gradients are not lost in float16; a disabled
    one changes nothing. The log-softmax and the loss are computed in float32. Returns the loss
    per real token, as a float and without the scale.
    """
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)  # blank: float32

    scaler.scale(loss).backward()  # blank: scaled_loss
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients; blank: true_gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: old_gradients_and_no_shift | TRUE CAUSE: two mistakes: gradients left over from before are not set to zero, and the model reads the whole target in place of the shifted decoder_input (cut afterwards so that the shapes fit)
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    labels = tgt[:, 1:]
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, tgt)
    loss = loss_fn(output[:, 1:].float().log_softmax(-1), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler:
        scheduler.step()
    return loss.item()
