# %% wrong: optimizer_steps_itself | TRUE CAUSE: The blank `step` is `optimizer.step()` rather than `scaler.step(optimizer)`, so the optimizer steps also when a gradient is infinite or nan, and the weights become nan.
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
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    optimizer.step()
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: cast_after_the_softmax | TRUE CAUSE: The cast to float32 stands behind the log-softmax (`output.log_softmax(dim=-1).float()`), so the log-softmax itself is computed in 16 bits and the loss and its gradients are rounded.
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

# %% wrong: own_clears_gradients_at_the_end | TRUE CAUSE: `zero_grad` is called after the step and not before the backward pass, so gradients left over from before the call are added to those of this batch.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    inputs, targets = shift_right(tgt)
    with torch.autocast(device_type=src.device.type, dtype=dtype, enabled=dtype is not None):
        logits = model(src, inputs)
    log_probs = F.log_softmax(logits.to(torch.float32), dim=-1)
    loss = loss_fn(log_probs, targets)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    if scheduler:
        scheduler.step()
    return float(loss)

# %% wrong: own_autocast_also_without_dtype | TRUE CAUSE: autocast is entered without `enabled=dtype is not None`; with dtype=None it then takes the device's default 16-bit kind, so a step that should be computed in float32 is computed in bfloat16 or float16.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def loss_of(src, tgt):
        seen, wanted = shift_right(tgt)
        with torch.autocast(src.device.type, dtype):
            logits = model(src, seen)
        return loss_fn(logits.float().log_softmax(-1), wanted)

    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    loss = loss_of(*batch)
    big = scaler.scale(loss)
    big.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
