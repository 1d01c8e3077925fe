# %% right: field_zero_by_the_model_and_train
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    model.train()
    src, trg = batch
    model.zero_grad(set_to_none=True)
    output = model(src, trg[:, :-1])
    output_dim = output.shape[-1]
    output = F.log_softmax(output.contiguous().view(-1, output_dim), dim=-1)
    loss = loss_fn(output, trg[:, 1:].contiguous().view(-1))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
