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
