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


# %% right: tenth_own_recursion
def fuse(model):
    for name, child in list(model.named_children()):
        if hasattr(child, "w_q"):
            new = FusedMultiHeadAttention(child)
        elif hasattr(child, "gamma"):
            new = FusedLayerNorm(child)
        elif isinstance(child, nn.Dropout):
            new = FastDropout(child)
        else:
            fuse(child)
            continue
        new.train(child.training)
        setattr(model, name, new)
    return model

# %% right: tenth_own_paths
def fuse(model):
    mode = model.training
    kinds = [
        (lambda m: hasattr(m, "w_q"), FusedMultiHeadAttention),
        (lambda m: hasattr(m, "gamma"), FusedLayerNorm),
        (lambda m: isinstance(m, nn.Dropout), FastDropout),
    ]
    found = []
    for path, module in model.named_modules(remove_duplicate=False):
        for is_kind, kind in kinds:
            if path and is_kind(module):
                found.append((path, module, kind))
                break
    attentions = [path for path, _, kind in found if kind is FusedMultiHeadAttention]
    for path, module, kind in found:
        if any(path.startswith(other + ".") for other in attentions):
            continue
        parent, _, name = path.rpartition(".")
        setattr(model.get_submodule(parent), name, kind(module))
    model.train(mode)
    return model


# %% right: eleventh_own_recursion
def fuse(model):
    def fast(child):
        if hasattr(child, "w_q"):
            return FusedMultiHeadAttention(child)
        if hasattr(child, "gamma"):
            return FusedLayerNorm(child)
        if isinstance(child, nn.Dropout):
            return FastDropout(child)
        return None

    def visit(part):
        for name, child in list(part.named_children()):
            new = fast(child)
            if new is None:
                visit(child)
            else:
                new.train(child.training)
                setattr(part, name, new)

    visit(model)
    return model.train(model.training)

# %% right: eleventh_own_paths_and_parents
def fuse(model):
    was_training = model.training
    kinds = [
        (lambda m: hasattr(m, "w_q"), FusedMultiHeadAttention),
        (lambda m: hasattr(m, "gamma"), FusedLayerNorm),
        (lambda m: isinstance(m, nn.Dropout), FastDropout),
    ]
    inside = ()
    for path, module in list(model.named_modules()):
        if path == "" or (inside and path.startswith(inside)):
            continue
        for is_kind, Fast in kinds:
            if is_kind(module):
                parent, _, name = path.rpartition(".")
                setattr(model.get_submodule(parent), name, Fast(module))
                inside += (path + ".",)
                break
    model.train(was_training)
    return model


# %% right: twelfth_own_recursive
def fuse(model):
    def visit(parent):
        for name, child in list(parent.named_children()):
            if hasattr(child, "w_q"):
                new = FusedMultiHeadAttention(child)
            elif hasattr(child, "gamma"):
                new = FusedLayerNorm(child)
            elif isinstance(child, nn.Dropout):
                new = FastDropout(child)
            else:
                visit(child)
                continue
            setattr(parent, name, new)

    visit(model)
    model.train(model.training)
    return model

# %% right: twelfth_own_collect_then_replace
def fuse(model):
    kinds = [
        (lambda m: hasattr(m, "w_q"), FusedMultiHeadAttention),
        (lambda m: hasattr(m, "gamma"), FusedLayerNorm),
        (lambda m: isinstance(m, nn.Dropout), FastDropout),
    ]
    was = model.training
    jobs = []
    for path, module in model.named_modules():
        for fits, fast in kinds:
            if path and fits(module):
                jobs.append((path, fast(module)))
                break
    gone = []
    for path, fast in jobs:
        if any(path.startswith(done + ".") for done in gone):
            continue
        holder, _, name = path.rpartition(".")
        setattr(model.get_submodule(holder), name, fast)
        gone.append(path)
    return model.train(was)
