# %% wrong: hf-clip-before-unscale | The gradients are clipped before they are unscaled; so it is the norm of the gradients times the scale that is held below max_norm, and the true ones become far too small.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    model.zero_grad()
    with torch.autocast(device_type=src.device.type, dtype=dtype, enabled=dtype is not None):
        output = model(src, decoder_input)
    loss = loss_fn(F.log_softmax(output.float(), dim=-1), labels)
    scaler.scale(loss).backward()
    if max_norm is not None and max_norm > 0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: optimizer-steps-itself | optimizer.step() is called instead of scaler.step(optimizer); so a step with infinite gradients is not left out, and spoils the weights.
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

# %% wrong: pytorch-recipe-loss-inside-autocast | Log-softmax and loss are computed inside autocast on the 16-bit output and never turned to float32; on a CPU autocast leaves that softmax in 16 bits, while both must be computed in float32.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    input, target = batch
    decoder_input, labels = shift_right(target)
    with torch.autocast(device_type=input.device.type, dtype=dtype, enabled=dtype is not None):
        output = model(input, decoder_input)
        loss = loss_fn(output.log_softmax(dim=-1), labels)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: returns-the-scaled-loss | The name loss is given to the scaled loss, and that is returned at the end; so the caller gets the loss times the scale instead of the loss per token.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def forward():
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            logits = model(src, decoder_input)
        return loss_fn(logits.to(torch.float32).log_softmax(dim=-1), labels)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss = forward()
    loss = scaler.scale(loss)
    loss.backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% wrong: update-before-step | scaler.update() is called before scaler.step(); the scaler then forgets that it has unscaled, divides the gradients by the scale a second time in step, and the step is far too small (and the next call's unscale_ finds an unfinished step). update comes at the end.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def backward():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
            output = model(src, decoder_input)
        loss = loss_fn(torch.log_softmax(output.float(), -1), labels)
        scaler.scale(loss).backward()
        return loss.detach()
    def true_gradients():
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
        scaler.update()
    loss = backward()
    true_gradients()
    scaler.step(optimizer)
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: autocast-always-on | autocast is always enabled: with dtype=None it falls back to its own default of 16 bits, although None means float32.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    half = torch.autocast(src.device.type, dtype=dtype)
    optimizer.zero_grad()
    output = half(model.__call__)(src, decoder_input)
    log_probs = output.float().log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: fairseq-float-after-log-softmax | The result of the log-softmax is turned to float32 instead of what goes into it; so the softmax has already summed over the vocabulary in 16 bits.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    prev_output_tokens, target = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast(src.device.type, dtype, enabled=dtype is not None):
        net_output = model(src, prev_output_tokens)
    lprobs = F.log_softmax(net_output, dim=-1).float()
    loss = loss_fn(lprobs, target)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% wrong: nanogpt-no-unscale-no-zero | Two mistakes. (1) unscale_ is never called before the clipping, so the norm of the scaled gradients is clipped. (2) The gradients are never set to 0, so they pile up from step to step.
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    X, Y = batch
    decoder_input, labels = shift_right(Y)
    ctx = torch.amp.autocast(device_type=X.device.type, dtype=dtype, enabled=dtype is not None)
    with ctx:
        logits = model(X, decoder_input)
    loss = loss_fn(logits.float().log_softmax(dim=-1), labels)
    scaler.scale(loss).backward()
    if max_norm != 0.0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: nanogpt-ctx
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    from contextlib import nullcontext
    X, Y = batch
    decoder_input, labels = shift_right(Y)
    ctx = nullcontext() if dtype is None else torch.autocast(X.device.type, dtype=dtype)
    optimizer.zero_grad(set_to_none=True)
    with ctx:
        logits = model(X, decoder_input)
    log_probs = F.log_softmax(logits, dim=-1, dtype=torch.float32)
    loss = loss_fn(log_probs, labels)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% right: loss-first-then-an-inner-update
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    half = dtype is not None
    def learn_from(scaled):
        optimizer.zero_grad()
        scaled.backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
        scaler.step(optimizer)
        scaler.update()
    with torch.autocast(src.device.type, dtype, enabled=half):
        output = model(src, decoder_input)
    scores = output.to(torch.float32)
    log_probs = scores - scores.logsumexp(dim=-1, keepdim=True)
    loss = loss_fn(log_probs, labels)
    learn_from(scaler.scale(loss))
    if scheduler is not None:
        scheduler.step()
    return loss.item()
