# %% wrong: softmax_in_half | TRUE CAUSE: the output is not turned into float32, so the log-softmax and the loss are computed in the 16-bit type
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


# %% wrong: optimizer_steps_itself | TRUE CAUSE: the optimizer steps by itself instead of through the scaler, so a step with infinite gradients is not left out
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


# %% wrong: loss_not_scaled | TRUE CAUSE: backward starts from the loss itself, so gradients that were never multiplied are divided by the scale
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


# %% wrong: two_steps | TRUE CAUSE: after the scaler's step the optimizer steps once more by itself, so each batch moves the weights twice
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
    scaler.step(optimizer); optimizer.step()  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()


# %% wrong: scale_in_place_of_unscale | TRUE CAUSE: scale is called with the optimizer where unscale_ is needed; mixed up two of the scaler's calls (crashes, since an optimizer is no tensor)
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
    scaler.scale(optimizer)  # the norm to clip is that of the true gradients; blank: true_gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()


# %% wrong: unscaled_after_clipping | TRUE CAUSE: the gradients are clipped while they are still multiplied by the scale and unscaled only afterwards, so they come out far too short
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
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()


# %% wrong: returns_the_scaled_loss | TRUE CAUSE: the name loss is used again for the scaled loss, so the scale is still in what is returned
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    """Take a train_step whose matrix products are computed in dtype; None leaves float32."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)
    loss = scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% wrong: always_half | TRUE CAUSE: autocast is not switched off where dtype is None, so the products are computed in its default 16-bit type instead of float32
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype=dtype):
        output = model(src, decoder_input)
    log_probs = output.float().log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% wrong: never_updated_left_over | TRUE CAUSE: two mistakes: the gradients left over from before are not zeroed, and scaler.update() is missing, so the scale is never adapted (and the next unscale_ is refused)
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    reads, labels = shift_right(tgt)

    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, reads)
    loss = loss_fn(torch.log_softmax(output.float(), dim=-1), labels)

    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% wrong: divided_by_scale_twice | TRUE CAUSE: besides unscale_, the gradients are divided by the scale once more by hand, so they are scale times too small
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
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad /= scaler.get_scale()  # the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()
