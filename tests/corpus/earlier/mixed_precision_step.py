# %% wrong: own_autocast_for_float16_only | Mixes up scaling, which float16 alone needs, with autocast, which every dtype needs: autocast is enabled only for torch.float16, so with bfloat16 all products stay in float32.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    reads, expects = shift_right(target)
    half = dtype == torch.float16
    optimizer.zero_grad()
    with torch.autocast(device_type=source.device.type, dtype=dtype, enabled=half):
        predicted = model(source, reads)
    predicted = F.log_softmax(predicted.to(torch.float32), dim=-1)
    loss = loss_fn(predicted, expects)
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: scaled-loss-returned | Two mistakes: the loss is replaced by the scaled one, so the returned number is the loss times the scale; and scaler.update() is missing, so the scale never adapts, and with a scaler that is on the next call stops at unscale_ (a RuntimeError).
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def forward():
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            output = model(src, decoder_input)
        return loss_fn(output.float().log_softmax(-1), labels)
    optimizer.zero_grad(set_to_none=True)
    loss = scaler.scale(forward())
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    if scheduler is not None:
        scheduler.step()
    return loss.item()
