# %% wrong: clipped-before-unscaled | The gradients are clipped while they still carry the scale, and unscaled afterwards: their norm is too large by the scale, so they are almost always cut down, to a true norm of max_norm / scale.
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
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: optimizer-steps-itself | optimizer.step() is called instead of scaler.step(optimizer): the optimizer also steps when a gradient is infinite, which is just what the scaler is to prevent.
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

# %% wrong: softmax-in-16-bits | In the manner of PyTorch's recipe, everything up to the loss stands inside autocast, without a cast to float32: on a CPU autocast leaves the log-softmax in 16 bits, while it is to be computed in float32.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=src.device.type, dtype=dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
        loss = loss_fn(output.log_softmax(dim=-1), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: scaled-loss-returned | `loss` is replaced by the scaled one, so the step returns the loss times the scale; it has to be returned without it.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def forward(src, tgt):
        read, expected = shift_right(tgt)
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            scores = model(src, read)
        return loss_fn(F.log_softmax(scores.to(torch.float32), dim=-1), expected)
    optimizer.zero_grad()
    loss = scaler.scale(forward(*batch))
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler:
        scheduler.step()
    return float(loss.detach())

# %% wrong: divided-twice | The gradients are divided by the scale by hand, with get_scale(), and the scaler does not know of it: as unscale_ was never called, scaler.step divides them once more, and the step is taken with gradients too small by the scale.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        logits = model(src, decoder_input)
    loss = loss_fn(logits.float().log_softmax(dim=-1), labels)
    scaler.scale(loss).backward()
    scale = scaler.get_scale()
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.div_(scale)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: autocast-always-on | In the manner of nanoGPT's `ctx`, autocast is entered with dtype alone and never switched off: with dtype=None it takes its own 16-bit default, where None has to leave float32.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    X, Y = batch
    decoder_input, labels = shift_right(Y)
    ctx = torch.amp.autocast(device_type=X.device.type, dtype=dtype)
    optimizer.zero_grad(set_to_none=True)
    with ctx:
        logits = model(X, decoder_input)
    loss = loss_fn(F.log_softmax(logits.float(), dim=-1), labels)
    scaler.scale(loss).backward()
    if max_norm != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clipped-after-the-step-and-16-bit-softmax | Two mistakes. The gradients are clipped after scaler.step, when they have already been used, so nothing is clipped; and the log-softmax is taken of the output as it is, in 16 bits, instead of in float32.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(F.log_softmax(output, dim=-1), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% right: softmax-with-a-dtype
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    half = {"dtype": dtype} if dtype is not None else {"enabled": False}
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=src.device.type, **half):
        logits = model(src, decoder_input)
    log_probs = F.log_softmax(logits, dim=-1, dtype=torch.float32)
    loss = loss_fn(log_probs, labels)
    large = scaler.scale(loss)
    large.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
