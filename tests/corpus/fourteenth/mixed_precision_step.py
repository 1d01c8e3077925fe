# %% wrong: optimizer_steps_itself | The blank `step` is optimizer.step(), so the scaler is not asked, and a step with infinite gradients is taken instead of being left out.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    # The softmax sums V terms, which needs float32.
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)  # blank: float32
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    optimizer.step()
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()
# %% wrong: softmax_in_half | The output goes into log_softmax as it is. Outside of autocast nothing converts it, so where the output is 16 bits wide the softmax and the loss are computed in 16 bits, not in float32.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    # Outside of autocast everything is float32 again.
    loss = loss_fn(output.log_softmax(dim=-1), labels)  # blank: float32
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # the norm to clip is that of the true gradients
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()
# %% wrong: own_clips_the_scaled_gradients | The gradients are clipped before scaler.unscale_, so max_norm is compared with gradients that are larger by the scale, and the true gradients become far too small.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    optimizer.zero_grad()
    source, target = batch
    read, expected = shift_right(target)
    half = torch.autocast(device_type=source.device.type, dtype=dtype, enabled=dtype is not None)
    with half:
        logits = model(source, read)
    log_probs = F.log_softmax(logits, dim=-1, dtype=torch.float32)
    loss = loss_fn(log_probs, expected)
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
# %% wrong: own_returns_the_scaled_loss | The name `loss` is given to the scaled loss before backward, and its value is returned: the loss times the scale. The result should be the loss per real token, without the scale.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def forward():
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            output = model(src, decoder_input)
        return loss_fn(torch.log_softmax(output.to(torch.float32), dim=-1), labels)
    optimizer.zero_grad()
    loss = forward()
    loss = scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
