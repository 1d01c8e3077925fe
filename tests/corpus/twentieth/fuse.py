# %% wrong: always-eval | Puts the model into eval mode at the end instead of into the mode that it had: a model in train mode then trains without dropout.
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    model.eval()
    return model

# %% wrong: gpt-fast-recursion-without-mode | Replaces the parts by recursion but does not set their mode: new modules come in train mode, so in a model in eval mode the fused attentions drop.
def fuse(model):
    def replace(module):
        for name, child in module.named_children():
            if hasattr(child, "w_q"):
                setattr(module, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(module, name, FusedLayerNorm(child))
            else:
                replace(child)
    replace(model)
    return model

# %% wrong: dotted-names | Sets the new part on the model under its dotted name ("encoder.layers.0.norm"): that adds one more entry to the model itself and leaves the old part where it is, so nested parts are never replaced; it has to be set on the parent.
def fuse(model):
    replacements = {}
    for name, module in model.named_modules():
        if hasattr(module, "w_q"):
            replacements[name] = FusedMultiHeadAttention(module)
        elif hasattr(module, "gamma"):
            replacements[name] = FusedLayerNorm(module)
    for name, new_module in replacements.items():
        setattr(model, name, new_module)
    return model.train(model.training)

# %% wrong: torch-layer-norms-only | Knows a norm by its class, nn.LayerNorm, as code for PyTorch models does: the model's norms are of a class of the student's own and are known by their gamma, so none of them is replaced.
def fuse(model):
    for parent in list(model.modules()):
        for attr, child in list(parent.named_children()):
            if isinstance(child, nn.LayerNorm):
                fast = FusedLayerNorm(child)
            elif hasattr(child, "w_q"):
                fast = FusedMultiHeadAttention(child)
            else:
                continue
            fast.train(child.training)
            setattr(parent, attr, fast)
    return model

# %% wrong: only-the-first-level | Two mistakes. Looks only at the model's direct children, so parts deeper inside, in its layers, stay as they are; and does not set the mode, so the parts that it does replace are in train mode.
def fuse(model):
    ways = {"w_q": FusedMultiHeadAttention, "gamma": FusedLayerNorm}
    for name, child in list(model.named_children()):
        for sign, way in ways.items():
            if hasattr(child, sign):
                model.add_module(name, way(child))
                break
    return model

# %% right: recursion-with-mode
def fuse(model):
    def fast(child):
        if hasattr(child, "w_q"):
            return FusedMultiHeadAttention(child).train(child.training)
        if hasattr(child, "gamma"):
            return FusedLayerNorm(child).train(child.training)
        return fuse(child)
    for name, child in list(model.named_children()):
        setattr(model, name, fast(child))
    return model

# %% right: get-submodule
def fuse(model):
    training = model.training
    for path, module in list(model.named_modules(remove_duplicate=False)):
        if not path or not (hasattr(module, "w_q") or hasattr(module, "gamma")):
            continue
        parent_name, _, name = path.rpartition(".")
        kind = FusedMultiHeadAttention if hasattr(module, "w_q") else FusedLayerNorm
        setattr(model.get_submodule(parent_name), name, kind(module))
    model.train(training)
    return model
