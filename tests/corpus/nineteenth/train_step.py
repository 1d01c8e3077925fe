# %% wrong: zeroed-before-the-step | Zeroes the gradients between backward and the optimizer's step, so they are gone before the optimizer has used them and nothing is learned; they have to be zeroed before backward.
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

# %% wrong: clipped-before-backward | Clips before backward, when there are no gradients of this batch yet, so those that the step uses are never clipped; clipping has to come after backward and before the step.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = F.log_softmax(model(src, decoder_input), dim=-1)
    loss = loss_fn(log_probs, labels)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: each-clipped-alone | Clips the gradient of each parameter by its own norm, where all of the model's gradients together, as one long vector, must be at most max_norm long: the direction of the step changes and their common length may still be larger.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    (src, tgt), model_loss = batch, None
    decoder_input, labels = shift_right(tgt)
    model.zero_grad(set_to_none=True)
    model_loss = loss_fn(model(src, decoder_input).log_softmax(-1), labels)
    model_loss.backward()
    for group in optimizer.param_groups:
        for weight in group["params"]:
            nn.utils.clip_grad_norm_(weight, max_norm)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return float(model_loss.detach())

# %% wrong: sum-returned | Returns the loss times the number of tokens, the sum, as the Annotated Transformer's compute does, where the loss per real token is asked for, which loss_fn has given already.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    tgt_in, tgt_y = shift_right(tgt)
    ntokens = tgt_y.numel()
    out = model(src, tgt_in)
    loss = loss_fn(out.log_softmax(dim=-1), tgt_y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item() * ntokens

# %% wrong: schedule-first | Moves the schedule on before the optimizer's step, as code for PyTorch before 1.1 did, so each step uses the learning rate of the next one and the first rate is never used; the rate moves on after the optimizer has used it.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    if scheduler is not None:
        scheduler.step()
    optimizer.zero_grad()
    logits = model(src, decoder_input)
    loss = loss_fn(logits.log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: positions-normalized-tensor-kept | Two mistakes. The log-softmax is over axis 1, the positions, where each position's probabilities are over the vocabulary, the last axis; and the loss is returned as a tensor, which keeps its graph in memory, where a plain float is asked for.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = F.log_softmax(model(src, decoder_input), dim=1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss

# %% right: loss-first
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    def loss_of(logits):
        return loss_fn(logits - logits.logsumexp(dim=-1, keepdim=True), labels)
    loss = loss_of(model(src, decoder_input))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm=max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
