# %% wrong: float32_after_the_softmax | TRUE CAUSE: .float() comes after log_softmax instead of before it, so the softmax sums its V terms in the 16-bit dtype of the output and only the rounded result is made float32.
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
# %% wrong: optimizer_steps_by_itself | TRUE CAUSE: optimizer.step() is called instead of scaler.step(optimizer), so the step is taken even when a gradient is infinite, and the weights become nan.
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
# %% wrong: own_scaled_loss_returned | TRUE CAUSE: The name `loss` is given to the scaled loss, and that is what is returned, so with an enabled scaler the result is too large by the factor of the scale.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    shifted, wanted = shift_right(target)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None

    with torch.autocast(source.device.type, dtype=dtype, enabled=dtype is not None):
        logits = model(source, shifted)
    loss = loss_fn(F.log_softmax(logits, dim=-1, dtype=torch.float32), wanted)
    loss = scaler.scale(loss)
    loss.backward()

    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
# %% wrong: own_zero_grad_at_the_end | TRUE CAUSE: The gradients are cleared after the step instead of before the backward pass, so gradients that were left over from before the call are added to those of this batch.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def compute_loss(src, tgt):
        inputs, labels = shift_right(tgt)
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            logits = model(src, inputs)
        return loss_fn(logits.to(torch.float32).log_softmax(-1), labels)

    def update_weights():
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()

    loss = compute_loss(*batch)
    scaler.scale(loss).backward()
    update_weights()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
