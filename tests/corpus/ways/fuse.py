# %% right: twelfth_own_collect_then_replace
def fuse(model):
    kinds = [
        (lambda m: hasattr(m, "w_q"), FusedMultiHeadAttention),
        (lambda m: hasattr(m, "gamma"), FusedLayerNorm),
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
# %% right: eleventh_own_recursion
def fuse(model):
    def fast(child):
        if hasattr(child, "w_q"):
            return FusedMultiHeadAttention(child)
        if hasattr(child, "gamma"):
            return FusedLayerNorm(child)
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
# %% right: mode_of_each_child
def fuse(model):
    makers = (
        (lambda part: hasattr(part, "w_q"), FusedMultiHeadAttention),
        (lambda part: hasattr(part, "gamma"), FusedLayerNorm),
    )
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            for fits, make in makers:
                if fits(child):
                    setattr(part, name, make(child).train(child.training))
                    break
    return model
# %% right: field_recursive_swap_by_class
def fuse(model):
    for name, module in model.named_children():
        if hasattr(module, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(module).train(module.training))
        elif hasattr(module, "gamma"):
            setattr(model, name, FusedLayerNorm(module).train(module.training))
        else:
            fuse(module)
    return model
# %% right: field_modules_replaced_in_dict
def fuse(model):
    for parent in model.modules():
        for name, child in parent._modules.items():
            if hasattr(child, "w_q"):
                parent._modules[name] = FusedMultiHeadAttention(child)
            elif hasattr(child, "gamma"):
                parent._modules[name] = FusedLayerNorm(child)
    return model.train(mode=model.training)
