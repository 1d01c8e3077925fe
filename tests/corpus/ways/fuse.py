# %% right: mode_of_each_child
def fuse(model):
    makers = (
        (lambda part: hasattr(part, "w_q"), FusedMultiHeadAttention),
        (lambda part: hasattr(part, "gamma"), FusedLayerNorm),
        (lambda part: isinstance(part, nn.Dropout), FastDropout),
    )
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            for fits, make in makers:
                if fits(child):
                    setattr(part, name, make(child).train(child.training))
                    break
    return model

# %% right: collect_first
def fuse(model):
    was_training = model.training
    found = [(part, name, child) for part in model.modules() for name, child in part.named_children()]
    for part, name, child in found:
        if hasattr(child, "w_q"):
            new = FusedMultiHeadAttention(child)
        elif hasattr(child, "gamma"):
            new = FusedLayerNorm(child)
        elif isinstance(child, nn.Dropout):
            new = FastDropout(child)
        else:
            continue
        setattr(part, name, new)
    if was_training:
        model.train()
    else:
        model.eval()
    return model
