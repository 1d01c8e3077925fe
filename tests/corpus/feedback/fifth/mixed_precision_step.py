# %% wrong: softmax_in_dtype | TRUE CAUSE: the output is converted to dtype (the half precision) before the log-softmax, not to float32: dtype taken for the precision of everything
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
    loss = loss_fn(output.to(dtype or torch.float32).log_softmax(dim=-1), labels)  # blank: float32

    scaler.scale(loss).backward()  # blank: scaled_loss
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients; blank: true_gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: optimizer_steps_itself | TRUE CAUSE: optimizer.step() is called instead of scaler.step(optimizer), so a step with infinite gradients is taken instead of being left out
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

# %% wrong: autocast_only_with_a_scaler | TRUE CAUSE: autocast is switched on only where the scaler is enabled, so bfloat16 (whose scaler is switched off) is computed in float32: scaling and half precision taken for one thing
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    use_half = scaler.is_enabled() and dtype is not None
    with torch.autocast(src.device.type, dtype, enabled=use_half):
        output = model(src, decoder_input)
    log_probs = F.log_softmax(output.to(torch.float32), dim=-1)
    loss = loss_fn(log_probs, labels)

    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: scaled_loss_returned | TRUE CAUSE: two mistakes: loss is overwritten by the scaled loss and returned with the scale, and the gradients are clipped to a fixed 1.0 instead of max_norm
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)
    loss = scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

