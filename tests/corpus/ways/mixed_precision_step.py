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
# %% right: thirteenth_own_log_softmax_with_dtype
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    def forward(src, tgt):
        reads, expects = shift_right(tgt)
        if dtype is None:
            output = model(src, reads)
        else:
            with torch.autocast(device_type=src.device.type, dtype=dtype):
                output = model(src, reads)
        log_probs = F.log_softmax(output, dim=-1, dtype=torch.float32)
        return loss_fn(log_probs, expects)
    def backward(loss):
        torch.autograd.backward(scaler.scale(loss))
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    optimizer.zero_grad()
    loss = forward(*batch)
    backward(loss)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
# %% right: field_nullcontext_and_set_to_none
from contextlib import nullcontext
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    X, Y = batch
    device_type = X.device.type
    ctx = nullcontext() if dtype is None else torch.amp.autocast(device_type=device_type, dtype=dtype)
    optimizer.zero_grad(set_to_none=True)
    with ctx:
        logits = model(X, Y[:, :-1])
    loss = loss_fn(F.log_softmax(logits, dim=-1, dtype=torch.float32), Y[:, 1:])
    scaler.scale(loss).backward()
    if max_norm != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler:
        scheduler.step()
    return loss.item()
# %% right: field_loss_inside_autocast_in_float32
def mixed_precision_step(
    model, batch, loss_fn, optimizer, scaler, scheduler=None, max_norm=1.0, dtype=None
):
    for param in model.parameters():
        param.grad = None
    use_amp = dtype is not None
    src, tgt = batch
    with torch.autocast(device_type=src.device.type, dtype=dtype or torch.bfloat16, enabled=use_amp):
        output = model(src, tgt[:, :-1])
        loss = loss_fn(torch.log_softmax(output.float(), dim=-1), tgt[:, 1:])
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    scaler.step(optimizer)
    scaler.update()
    if scheduler is not None:
        scheduler.step()
    return float(loss)
