# %% wrong: own_only_the_flag_of_the_model_restored | The mode is put back by setting model.training; that is the flag of the outermost module alone, all modules inside (dropout) stay in eval mode.
def evaluate(model, batches, loss_fn):
    mode = model.training
    model.eval()
    sums, counts = [], []
    with torch.no_grad():
        for src, tgt in batches:
            reads, says = shift_right(tgt)
            loss = loss_fn(F.log_softmax(model(src, reads), dim=-1), says)
            counts.append(int(torch.count_nonzero(says != model.pad_id)))
            sums.append(float(loss) * counts[-1])
    model.training = mode
    return sum(sums) / sum(counts)
