# %% wrong: softmax-in-sixteen-bits | The output is not brought to float32 before the log-softmax, so log-softmax and loss are computed in dtype (outside autocast nothing converts them).
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.log_softmax(dim=-1), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: float-too-late | The conversion to float32 comes after the log-softmax, which has then already been summed and rounded in dtype.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=src.device.type, dtype=dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    log_probs = F.log_softmax(output, dim=-1)
    loss = loss_fn(log_probs.float(), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: plain-backward | backward starts from the unscaled loss, while unscale_ still divides the gradients by the scale, so they are too small by that factor (and small ones are lost in float16 as before).
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.float().log_softmax(dim=-1), labels)
    scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: clip-before-unscale | The gradients are clipped while they are still multiplied by the scale, and divided by it only afterwards, so nearly every step is clipped, and far too much.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def loss_of(src, tgt):
        decoder_input, labels = shift_right(tgt)
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            output = model(src, decoder_input)
        return loss_fn(torch.log_softmax(output, dim=-1, dtype=torch.float32), labels)
    optimizer.zero_grad()
    loss = loss_of(*batch)
    scaler.scale(loss).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss)

# %% wrong: divides-by-hand-too | The gradients are divided by the scale by hand, and scaler.step, which does not know that, divides them once more; unscale_ would have told it.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(output.to(torch.float32).log_softmax(-1), labels)
    scaler.scale(loss).backward()
    factor = 1.0 / scaler.get_scale()
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.mul_(factor)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: nanogpt-two | Two mistakes. The scale is never adapted, since scaler.update() is missing at the end; and the loss that is returned is the scaled one.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    X, Y = batch
    decoder_input, targets = shift_right(Y)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(X.device.type, dtype, enabled=dtype is not None):
        logits = model(X, decoder_input)
    loss = scaler.scale(loss_fn(F.log_softmax(logits.float(), dim=-1), targets))
    loss.backward()
    if max_norm != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: helper
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def forward():
        src, tgt = batch
        read, expected = shift_right(tgt)
        if dtype is None:
            logits = model(src, read)
        else:
            with torch.autocast(device_type=src.device.type, dtype=dtype):
                logits = model(src, read)
        return loss_fn(F.log_softmax(logits, dim=-1, dtype=torch.float32), expected)
    loss = forward()
    model.zero_grad()
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% right: inner-autocast-off
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    inputs, labels = shift_right(target)
    device_type = source.device.type
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    with torch.autocast(device_type, dtype=dtype, enabled=dtype is not None):
        outputs = model(source, inputs)
        with torch.autocast(device_type, enabled=False):
            loss = loss_fn(outputs.float().log_softmax(-1), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
