# %% wrong: float_after_log_softmax | TRUE CAUSE: the model's output is made float32 only after the log_softmax, which therefore is still computed in dtype (16 bits), so the loss is rounded when dtype is bfloat16 or float16
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

# %% wrong: optimizer_steps_itself | TRUE CAUSE: optimizer.step() is called directly instead of scaler.step(optimizer), so a step with an infinite or nan gradient is not left out and ruins the weights
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

# %% wrong: own_clip_also_lengthens | TRUE CAUSE: the clipping by hand multiplies all gradients by max_norm / norm without capping the factor at 1, so gradients whose norm is below max_norm are scaled up to it
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    inputs, wanted = shift_right(target)
    for p in model.parameters():
        p.grad = None

    with torch.autocast(source.device.type, dtype, enabled=dtype is not None):
        logits = model(source, inputs)
    loss = loss_fn(F.log_softmax(logits.float(), dim=-1), wanted)
    scaler.scale(loss).backward()

    scaler.unscale_(optimizer)
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.sqrt(sum((g**2).sum() for g in grads))
    for g in grads:
        g.mul_(max_norm / (norm + 1e-6))

    scaler.step(optimizer)
    scaler.update()
    if scheduler:
        scheduler.step()
    return float(loss.detach())

# %% wrong: own_returns_scaled_loss | TRUE CAUSE: the name loss is rebound to scaler.scale(loss) before the backward pass, and that scaled loss is returned, where the text asks for the loss without the scale
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def compute_loss():
        src, tgt = batch
        reads, predicts = shift_right(tgt)
        if dtype is None:
            out = model(src, reads)
        else:
            with torch.autocast(device_type=src.device.type, dtype=dtype):
                out = model(src, reads)
        return loss_fn(torch.log_softmax(out, dim=-1, dtype=torch.float32), predicts)

    optimizer.zero_grad(set_to_none=True)
    loss = compute_loss()
    loss = scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
