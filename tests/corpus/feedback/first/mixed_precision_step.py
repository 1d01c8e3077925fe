# %% wrong: stays_half | TRUE CAUSE: the output is not made float32 before the log-softmax, so log-softmax and loss are computed in half precision
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
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

# %% wrong: never_scaled | TRUE CAUSE: the result of scaler.scale is thrown away, as if it scaled the loss in place: backward starts from the loss without the scale, and unscale_ then divides the gradients by it all the same
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)

    scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: plain_step | TRUE CAUSE: optimizer.step() is called directly instead of scaler.step(optimizer), so a step with infinite gradients is not left out
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
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

# %% wrong: unscale_without_underscore | TRUE CAUSE: the method is called unscale_, not unscale, so it raises an AttributeError
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.to(torch.float32).log_softmax(dim=-1), labels)

    scaler.scale(loss).backward()
    scaler.unscale(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: clips_scaled | TRUE CAUSE: the gradients are clipped before they are unscaled, so the norm that is compared with max_norm is that of the scaled ones and almost every step is far too small
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    x, y = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=src.device.type, dtype=dtype, enabled=dtype is not None):
        logits = model(src, x)
    loss = loss_fn(F.log_softmax(logits, dim=-1, dtype=torch.float32), y)
    scaler.scale(loss).backward()
    params = [p for p in model.parameters() if p.grad is not None]
    torch.nn.utils.clip_grad_norm_(params, max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler:
        scheduler.step()
    return float(loss.detach())

# %% wrong: always_bfloat16 | TRUE CAUSE: the argument dtype is ignored: autocast always runs in bfloat16, also where dtype is None and float32 was asked for
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.autocast(src.device.type, torch.bfloat16):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.type(torch.float).log_softmax(dim=-1), labels)

    torch.autograd.backward(scaler.scale(loss))
    getattr(scaler, "unscale_")(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: zero_at_the_end | TRUE CAUSE: the gradients are zeroed after the step and not before backward, so gradients left over from before are added to this batch's
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    use_half = dtype is not None
    with torch.autocast(src.device.type, dtype, enabled=use_half):
        output = model(src, decoder_input)
    log_probs = output.float().log_softmax(-1)
    loss = loss_fn(log_probs, labels)
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: no_update_and_scaled_loss | TRUE CAUSE: two mistakes: scaler.update() is missing, so the scale is never adapted and the next unscale_ raises; and the loss is returned with the scale in it
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
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    if scheduler is not None:
        scheduler.step()
    return loss.item()
