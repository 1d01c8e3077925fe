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
