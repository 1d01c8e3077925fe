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


# %% right: own_recursion
def fuse(model):
    """Replace children where there is something faster, go into all others."""
    for name, child in list(model.named_children()):
        if hasattr(child, "w_q"):
            fast = FusedMultiHeadAttention(child)
        elif hasattr(child, "gamma"):
            fast = FusedLayerNorm(child)
        elif isinstance(child, nn.Dropout):
            fast = FastDropout(child)
        else:
            fuse(child)
            continue
        setattr(model, name, fast.train(child.training))
    return model

# %% right: own_paths_and_parents
def fuse(model):
    tests = [
        (lambda m: hasattr(m, "w_q"), FusedMultiHeadAttention),
        (lambda m: hasattr(m, "gamma"), FusedLayerNorm),
        (lambda m: isinstance(m, nn.Dropout), FastDropout),
    ]
    mode = model.training
    done = []
    for path, old in list(model.named_modules(remove_duplicate=False)):
        if not path or any(path.startswith(d + ".") for d in done):
            continue
        for fits, make in tests:
            if fits(old):
                parent, _, name = path.rpartition(".")
                setattr(model.get_submodule(parent), name, make(old))
                done.append(path)
                break
    return model.train(mode)
