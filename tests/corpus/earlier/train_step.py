# %% wrong: divide_by_sentences | the blank result divides the loss by the number of sentences, although loss_fn gives the average over the real tokens already, so the returned number is N times too small
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
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
    return loss.item() / len(src)

# %% wrong: rate-moves-first-and-fixed-clip | two mistakes: the scheduler steps before the optimizer, so each step is made with the rate of the next one; and the gradients are clipped to 1.0, whatever max_norm says.
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    source, target = batch
    given, wanted = shift_right(target)
    model.zero_grad()
    loss = loss_fn(model(source, given).log_softmax(dim=-1), wanted)
    loss.backward()
    gradients = [p for p in model.parameters() if p.grad is not None]
    nn.utils.clip_grad_norm_(gradients, 1.0)
    for mover in (scheduler, optimizer):
        if mover is not None:
            mover.step()
    return loss.item()
