# %% right: zeroed_by_the_model
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    reads, says = shift_right(tgt)

    model.zero_grad()
    logits = model(src, reads)
    loss = loss_fn(F.log_softmax(logits, dim=-1), says)
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% right: clipped_by_hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    for parameter in model.parameters():
        parameter.grad = None
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()

    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = math.sqrt(sum(float(gradient.pow(2).sum()) for gradient in gradients))
    if norm > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% right: own_clip_by_hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    for p in model.parameters():
        p.grad = None
    src, tgt = batch
    reads, says = shift_right(tgt)
    loss = loss_fn(F.log_softmax(model(src, reads), dim=-1), says)
    loss.backward()

    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = sum((g**2).sum() for g in gradients) ** 0.5
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% right: own_helper_functions
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def loss_of(src, tgt):
        seen, wanted = shift_right(tgt)
        return loss_fn(model(src, seen).log_softmax(-1), wanted)

    def move():
        nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
        optimizer.step()
        if scheduler is not None:
            scheduler.step()

    loss = loss_of(*batch)
    model.zero_grad()
    optimizer.zero_grad()
    loss.backward()
    move()
    return loss.item()


# %% right: tenth_own_helper_for_the_loss
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def loss_of(src, tgt):
        reads, says = shift_right(tgt)
        return loss_fn(F.log_softmax(model(src, reads), dim=-1), says)

    model.zero_grad()
    loss = loss_of(*batch)
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return float(loss.detach())

# %% right: tenth_own_clips_by_hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    weights = list(model.parameters())
    for w in weights:
        w.grad = None
    source, target = batch
    reads, says = shift_right(target)
    loss = loss_fn(torch.log_softmax(model(source, reads), -1), says)
    loss.backward()

    with torch.no_grad():
        grads = [w.grad for w in weights if w.grad is not None]
        length = math.sqrt(sum(g.square().sum().item() for g in grads))
        if length > max_norm:
            for g in grads:
                g.mul_(max_norm / length)

    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% right: eleventh_own_helper_and_model_zero_grad
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def batch_loss(src, tgt):
        reads, wanted = shift_right(tgt)
        return loss_fn(F.log_softmax(model(src, reads), dim=-1), wanted)

    for weight in model.parameters():
        weight.grad = None
    optimizer.zero_grad()
    loss = batch_loss(*batch)
    value = float(loss.detach())
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return value

# %% right: eleventh_own_clip_by_hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    reads, wanted = shift_right(target)
    optimizer.zero_grad()
    model.zero_grad()

    logits = model(source, reads)
    loss = loss_fn(logits - logits.logsumexp(dim=-1, keepdim=True), wanted)
    loss.backward()

    with torch.no_grad():
        grads = [weight.grad for weight in model.parameters() if weight.grad is not None]
        length = math.sqrt(sum(grad.pow(2).sum().item() for grad in grads))
        if length > max_norm:
            for grad in grads:
                grad.mul_(max_norm / length)

    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()


# %% right: twelfth_own_clip_by_hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    reads, wanted = shift_right(target)
    model.zero_grad()
    loss = loss_fn(F.log_softmax(model(source, reads), dim=-1), wanted)
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    length = math.sqrt(sum(g.pow(2).sum().item() for g in grads))
    if length > max_norm:
        for g in grads:
            g.mul_(max_norm / length)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())

# %% right: twelfth_own_none_grads_and_helper
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    weights = list(model.parameters())

    def loss_of(src, tgt):
        read, predict = shift_right(tgt)
        return loss_fn(torch.log_softmax(model(src, read), -1), predict)

    for w in weights:
        w.grad = None
    loss = loss_of(*batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(weights, max_norm=max_norm)
    for mover in (optimizer, scheduler):
        if mover is not None:
            mover.step()
    return loss.item()
