# %% wrong: zero-before-step | Zeroes the gradients between backward and step, so the optimizer gets zeros (or None) and the weights do not move. The old gradients have to go before backward.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.zero_grad()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: never-zeroed | Leaves zero_grad out, thinking that backward replaces the gradients. It adds to them, so those of earlier steps go into each further one.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    tgt_in, tgt_out = shift_right(tgt)
    logits = model(src, tgt_in)
    loss = loss_fn(F.log_softmax(logits, dim=-1), tgt_out)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss)

# %% wrong: tensor-returned | Returns the loss as a tensor with its graph, which keeps the graph in memory; the contract wants a plain float.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    decoder_input, labels = shift_right(batch[1])
    def compute():
        return loss_fn(model(batch[0], decoder_input).log_softmax(dim=-1), labels)
    model.zero_grad()
    loss = compute()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss

# %% wrong: bentrevett-clipped-each-alone | Clips every parameter's gradient by itself to max_norm. All gradients together are one long vector that is shrunk by one factor; clipped one by one, the direction changes and the whole may still be longer.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, trg = batch
    trg_in, trg_out = shift_right(trg)
    optimizer.zero_grad()
    output = model(src, trg_in).log_softmax(dim=-1)
    loss = loss_fn(output, trg_out)
    loss.backward()
    for parameter in model.parameters():
        torch.nn.utils.clip_grad_norm_(parameter, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: two-clip-after-step-and-fixed-norm | Two mistakes. Clips after the optimizer has stepped, when it is too late; and clips to 1.0 as it stands in most examples, not to the max_norm that was passed.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = nn.LogSoftmax(dim=-1)(model(src, decoder_input))
    loss = loss_fn(log_probs, labels)
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: schedule-first | Lets the schedule move on before the optimizer has used its rate, so every step is taken with the rate of the next one and the first rate is never used.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    if scheduler is not None:
        scheduler.step()
    source, target = batch
    reads, says = shift_right(target)
    optimizer.zero_grad()
    loss = loss_fn(model(source, reads).log_softmax(-1), says)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% right: zeroed-at-the-end-of-the-forward
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    reads, says = shift_right(target)
    logits = model(source, reads)
    loss = loss_fn(F.log_softmax(logits, dim=-1), says)
    model.zero_grad(set_to_none=True)
    loss.backward()
    weights = [weight for weight in model.parameters() if weight.grad is not None]
    nn.utils.clip_grad_norm_(weights, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().item()

# %% right: clipping-by-hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    output = model(src, decoder_input)
    loss = loss_fn(output - output.logsumexp(dim=-1, keepdim=True), labels)
    loss.backward()
    gradients = [weight.grad for weight in model.parameters() if weight.grad is not None]
    length = torch.stack([gradient.square().sum() for gradient in gradients]).sum().sqrt()
    if length > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / length)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
