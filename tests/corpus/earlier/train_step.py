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
