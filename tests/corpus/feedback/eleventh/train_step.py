# %% wrong: schedule_before_step | TRUE CAUSE: scheduler.step() is called before optimizer.step(), so the rate moves on before the optimizer has used it, and every step (with a scheduler) is made with the next step's rate.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    optimizer.step()
    return loss.item()

# %% wrong: averaged_twice | TRUE CAUSE: loss_fn already gives the average per real token, but the result is divided by labels.numel() once more, so the returned float is too small (the update of the weights is right).
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item() / labels.numel()

# %% wrong: own_clip_each_parameter | TRUE CAUSE: clip_grad_norm_ is called in a loop for each parameter on its own, so each gradient is shrunk by its own norm instead of all together as one long vector: the total may be longer than max_norm and its direction changes.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    reads, predicts = shift_right(target)
    model.zero_grad()
    logits = model(source, reads)
    loss = loss_fn(F.log_softmax(logits, dim=-1), predicts)
    loss.backward()
    for weight in model.parameters():
        if weight.grad is not None:
            nn.utils.clip_grad_norm_(weight, max_norm)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return float(loss)

# %% wrong: own_zero_after_step | TRUE CAUSE: The gradients are zeroed at the end, after optimizer.step(), instead of before backward, so gradients left over from before the call are added to those of this batch (and the model's gradients are gone after the call).
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def batch_loss(src, tgt):
        seen, wanted = shift_right(tgt)
        return loss_fn(torch.log_softmax(model(src, seen), dim=-1), wanted)

    loss = batch_loss(*batch)
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    model.zero_grad()
    return loss.detach().item()
