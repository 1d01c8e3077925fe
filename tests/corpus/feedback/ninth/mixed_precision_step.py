# %% wrong: softmax_in_half_precision | TRUE CAUSE: the model's output goes into log_softmax as it is, without float(), so with a 16-bit dtype the log-softmax and the loss of a model that returns logits are computed in 16 bits
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
    loss = loss_fn(output.log_softmax(dim=-1), labels)

    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: optimizer_steps_by_itself | TRUE CAUSE: calls optimizer.step() in place of scaler.step(optimizer), so a step with infinite gradients is not left out and the weights become nan
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

# %% wrong: own_returns_the_scaled_loss | TRUE CAUSE: the name loss is bound to the scaled loss before backward, so the number that is returned is multiplied by the scale
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    x, y = batch
    y_in, y_out = shift_right(y)
    half = dtype is not None
    with torch.autocast(device_type=x.device.type, dtype=dtype, enabled=half):
        scores = model(x, y_in)
    loss = loss_fn(F.log_softmax(scores.to(torch.float32), dim=-1), y_out)
    loss = scaler.scale(loss)

    model.zero_grad(set_to_none=True)
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler:
        scheduler.step()
    return float(loss.detach())

# %% wrong: own_unscaled_twice | TRUE CAUSE: divides the gradients by the scale by hand, of which the scaler knows nothing, so scaler.step unscales them a second time and the optimizer gets gradients that are too small by the scale
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    prefix, following = shift_right(target)
    params = list(model.parameters())

    def forward():
        if dtype is None:
            return model(source, prefix)
        with torch.autocast(source.device.type, dtype=dtype):
            return model(source, prefix)

    optimizer.zero_grad()
    value = loss_fn(torch.log_softmax(forward().float(), -1), following)
    scaler.scale(value).backward()

    scale = scaler.get_scale()
    for p in params:
        if p.grad is not None:
            p.grad.div_(scale)
    nn.utils.clip_grad_norm_(params, max_norm)

    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return value.item()
