# %% wrong: recipe-all-in-autocast | The log-softmax and the loss are computed inside autocast, on the model's 16-bit output, as in PyTorch's recipe. That gives float32 on a GPU alone; on a CPU autocast leaves a softmax in 16 bits. Both have to be computed in float32: output.float() before the log-softmax, outside of autocast.
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
    return loss.detach().item()

# %% wrong: float-too-late | The result of the log-softmax is made float32, not its input: the sum over the vocabulary is still computed in 16 bits. The conversion has to come before the log-softmax.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def loss_of_batch():
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            output = model(src, decoder_input)
        log_probs = F.log_softmax(output, dim=-1)
        return loss_fn(log_probs.float(), labels)
    optimizer.zero_grad()
    loss = loss_of_batch()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: divided-twice | The gradients are divided by the scale by hand before they are clipped. The scaler does not know of it, so scaler.step divides them by the scale once more, and the step is too small by the scale (plain gradient descent hardly moves). scaler.unscale_(optimizer) divides them and remembers that it has.
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

# %% wrong: optimizer-steps-itself | The optimizer steps by itself, after unscale_ and clipping, instead of through scaler.step(optimizer). So a step with an infinite or nan gradient is not left out, and spoils the weights.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.to(torch.float32).log_softmax(dim=-1), labels)
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    optimizer.step()
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: none-is-not-float32 | autocast is always switched on. With dtype None it takes the device's default, bfloat16 on a CPU and float16 on a GPU, where None has to leave everything in float32: enabled=dtype is not None is missing.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    context = torch.autocast(device_type=src.device.type, dtype=dtype)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    with context:
        logits = model(src, decoder_input)
    log_probs = torch.log_softmax(logits, dim=-1, dtype=torch.float32)
    loss = loss_fn(log_probs, labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: scaled-to-the-end | Two mistakes. The gradients are clipped while they are still multiplied by the scale, since scaler.unscale_(optimizer) is missing before clip_grad_norm_; and the loss that is returned is the scaled one, where it has to be without the scale.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    X, Y = batch
    Y_in, Y_out = shift_right(Y)
    with torch.autocast(X.device.type, dtype, enabled=dtype is not None):
        logits = model(X, Y_in)
    loss = scaler.scale(loss_fn(logits.float().log_softmax(dim=-1), Y_out))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    if max_norm != 0.0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% right: softmax-with-its-dtype
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def forward(src, tgt):
        decoder_input, labels = shift_right(tgt)
        mixed = torch.autocast(src.device.type, dtype=dtype, enabled=dtype is not None)
        with mixed:
            scores = model(src, decoder_input)
        return loss_fn(F.log_softmax(scores, dim=-1, dtype=torch.float32), labels)
    loss = forward(*batch)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    gradients_of = [p for p in model.parameters() if p.grad is not None]
    nn.utils.clip_grad_norm_(gradients_of, max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
