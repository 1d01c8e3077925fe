# %% wrong: optimizer_steps_itself | TRUE CAUSE: calls optimizer.step() instead of scaler.step(optimizer), so a step with an infinite gradient is not left out
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


# %% wrong: returns_the_scaled_loss | TRUE CAUSE: the name loss is reused for the scaled loss, so the returned number is multiplied by the scale
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    log_probs = output.float().log_softmax(dim=-1)
    loss = scaler.scale(loss_fn(log_probs, labels))
    loss.backward()

    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% wrong: clips_scaled_gradients_in_half | TRUE CAUSE: two mistakes: gradients are clipped before they are unscaled, so by the norm of the scaled ones, and the log-softmax is taken of the 16-bit output without float()
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.log_softmax(dim=-1), labels)

    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()
