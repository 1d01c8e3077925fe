# %% right: zero_grad_late_but_in_time
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    with torch.autocast(device_type=src.device.type, dtype=dtype, enabled=dtype is not None):
        logits = model(src, decoder_input)
    logits = logits.to(dtype=torch.float32)
    loss = loss_fn(F.log_softmax(logits, dim=-1), labels)
    result = float(loss.detach())

    optimizer.zero_grad(set_to_none=True)
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return result

# %% right: softmax_with_dtype
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
    loss = loss_fn(output.log_softmax(dim=-1, dtype=torch.float32), labels)  # blank: float32

    scaler.scale(loss).backward()  # blank: scaled_loss
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients; blank: true_gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)  # blank: step
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()
