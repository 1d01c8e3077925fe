# %% wrong: unscale_misspelt | TRUE CAUSE: The scaler's method is written unscale instead of unscale_, which is an AttributeError.
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
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)

    scaler.scale(loss).backward()
    scaler.unscale(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: softmax_in_half | TRUE CAUSE: The log-softmax is taken of the output as it is, in 16 bits; only its result is turned to float32.
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
    loss = loss_fn(output.log_softmax(dim=-1).float(), labels)

    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: scaled_loss_returned | TRUE CAUSE: The scaled loss takes the name of the loss, so what is returned is the loss times the scale.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=src.device.type, dtype=dtype, enabled=dtype is not None):
        logits = model(src, decoder_input)
    log_probs = F.log_softmax(logits, dim=-1, dtype=torch.float32)
    loss = loss_fn(log_probs, labels)
    loss = scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clipped_while_scaled_and_plain_step | TRUE CAUSE: Two mistakes: the gradients are clipped before they are unscaled, so by their scaled size; and optimizer.step is called instead of scaler.step, so steps with infinite gradients are not left out.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    """train_step with autocast and a scaler."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.to(torch.float32).log_softmax(dim=-1), labels)

    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.unscale_(optimizer)
    optimizer.step()
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
