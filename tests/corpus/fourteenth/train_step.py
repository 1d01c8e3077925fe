# %% wrong: reads_its_labels | The model is given the labels to read, so that each position sees the very token that it has to predict. It has to read decoder_input.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    model.zero_grad()
    log_probs = model(src, labels).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
# %% wrong: clips_the_first_group | Only the parameters of the optimizer's first group are clipped. The optimizer may hold the weights in several groups; all of the model's gradients together have to be at most max_norm long.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    model.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
# %% wrong: own_clips_each_tensor_alone | Each parameter's gradient is clipped by its own length, in a loop. All gradients have to be shrunk by one factor, by the length of the one long vector that they are together.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    reads, says = shift_right(target)
    for weights in model.parameters():
        weights.grad = None
    predicted = F.log_softmax(model(source, reads), dim=-1)
    loss = loss_fn(predicted, says)
    loss.backward()
    for weights in model.parameters():
        if weights.grad is not None:
            nn.utils.clip_grad_norm_(weights, max_norm=max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach())
# %% wrong: own_schedule_before_the_step | The scheduler moves on before the optimizer steps. So each step uses the rate of the next one, and the first rate is never used.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def loss_of(src, tgt):
        before, after = shift_right(tgt)
        return loss_fn(torch.log_softmax(model(src, before), dim=-1), after)
    def move():
        nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
        if scheduler is not None:
            scheduler.step()
        optimizer.step()
    model.zero_grad()
    loss = loss_of(*batch)
    loss.backward()
    move()
    return loss.item()
