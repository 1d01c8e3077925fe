# %% wrong: clipped-while-scaled | The gradients are clipped before they are unscaled: the norm that is compared with max_norm is that of the scaled gradients, so with a large scale nearly everything is clipped to almost nothing.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    log_probs = output.float().log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: tutorial-cuda-float16 | Copied from PyTorch's AMP tutorial: autocast is fixed to cuda, float16 and enabled; dtype is not used and the device of the batch neither. dtype=None does not leave float32 on a GPU, and on a CPU no dtype has any effect.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(device_type="cuda", dtype=torch.float16):
        output = model(src, decoder_input)
    loss = loss_fn(F.log_softmax(output.float(), dim=-1), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: softmax-in-16-bits | The log-softmax is taken of the 16-bit output, and only its result is converted to float32: the sum over the vocabulary has been computed (and rounded) in half precision already.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    log_probs = output.log_softmax(dim=-1).float()
    loss = loss_fn(log_probs, labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

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

# %% wrong: optimizer-steps-by-itself | optimizer.step() is called instead of scaler.step(optimizer): a step with infinite or nan gradients is taken and spoils the weights, where the scaler would have left it out.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    optimizer.step()
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% right: nanogpt-context
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    from contextlib import nullcontext
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    ctx = nullcontext() if dtype is None else torch.autocast(src.device.type, dtype=dtype)
    with ctx:
        logits = model(src, decoder_input)
    loss = loss_fn(F.log_softmax(logits, dim=-1, dtype=torch.float32), labels)
    lossf = loss.item()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return lossf
