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


# %% right: own_nested_forward
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    prefix, following = shift_right(target)

    def forward():
        if dtype is None:
            return model(source, prefix)
        with torch.autocast(source.device.type, dtype=dtype):
            return model(source, prefix)

    value = loss_fn(F.log_softmax(forward().to(torch.float32), dim=-1), following)
    model.zero_grad()
    optimizer.zero_grad()
    scaler.scale(value).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return value.item()

# %% right: own_clip_by_hand
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    for p in model.parameters():
        p.grad = None
    x, y = batch
    y_in, y_out = shift_right(y)
    with torch.autocast(device_type=x.device.type, dtype=dtype, enabled=dtype is not None):
        logits = model(x, y_in)
    logits = logits.float()
    loss = loss_fn(logits - logits.logsumexp(dim=-1, keepdim=True), y_out)

    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.unscale_(optimizer)
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    length = torch.stack([g.norm() for g in grads]).norm()
    shrink = (max_norm / (length + 1e-6)).clamp(max=1.0)
    for g in grads:
        g *= shrink
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())


# %% right: tenth_own_helper_for_the_loss
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def loss_of(src, tgt):
        seen, wanted = shift_right(tgt)
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            logits = model(src, seen)
        return loss_fn(logits.float().log_softmax(-1), wanted)

    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    loss = loss_of(*batch)
    big = scaler.scale(loss)
    big.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: tenth_own_nullcontext
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    from contextlib import nullcontext

    src, tgt = batch
    inputs, targets = shift_right(tgt)
    half = nullcontext() if dtype is None else torch.autocast(src.device.type, dtype=dtype)
    with half:
        logits = model(src, inputs)
    log_probs = F.log_softmax(logits, dim=-1, dtype=torch.float32)
    loss = loss_fn(log_probs, targets)
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())


# %% right: eleventh_own_helper_forward
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def compute_loss():
        src, tgt = batch
        reads, predicts = shift_right(tgt)
        if dtype is None:
            out = model(src, reads)
        else:
            with torch.autocast(device_type=src.device.type, dtype=dtype):
                out = model(src, reads)
        return loss_fn(out.to(torch.float32).log_softmax(-1), predicts)

    optimizer.zero_grad(set_to_none=True)
    loss = compute_loss()
    result = loss.item()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return result

# %% right: eleventh_own_clip_by_hand
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    inputs, wanted = shift_right(target)
    optimizer.zero_grad()

    with torch.autocast(source.device.type, dtype, enabled=dtype is not None):
        logits = model(source, inputs)
    said = F.log_softmax(logits, dim=-1, dtype=torch.float32)
    loss = loss_fn(said, wanted)
    scaler.scale(loss).backward()

    scaler.unscale_(optimizer)
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.stack([g.norm() for g in grads]).norm()
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(factor)

    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())


# %% right: twelfth_own_small_functions
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def compute_loss(src, tgt):
        inputs, labels = shift_right(tgt)
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            logits = model(src, inputs)
        return loss_fn(F.log_softmax(logits, dim=-1, dtype=torch.float32), labels)

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
# %% right: twelfth_own_clipped_by_hand
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    source, target = batch
    shifted, wanted = shift_right(target)

    with torch.autocast(source.device.type, dtype=dtype, enabled=dtype is not None):
        logits = model(source, shifted)
    loss = loss_fn(torch.log_softmax(logits.to(torch.float32), dim=-1), wanted)

    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.stack([g.square().sum() for g in gradients]).sum().sqrt()
    factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for g in gradients:
        g.mul_(factor)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
