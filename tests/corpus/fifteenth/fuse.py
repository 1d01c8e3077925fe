# %% wrong: parts-left-in-train-mode | The parts are replaced in a recursive function, and nobody sets the mode of the new ones: a model in eval mode then holds fast attentions in train mode, which drop weights.
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

# %% wrong: dotted-name | The full name from named_modules ("encoder.layers.0.self_attn") is given to setattr on the model: the part is not replaced where it is (in its parent), the fast one only becomes a further child of the model itself under a name with dots, which forward never calls.
def fuse(model):
    for name, module in list(model.named_modules()):
        if hasattr(module, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(module))
        elif hasattr(module, "gamma"):
            setattr(model, name, FusedLayerNorm(module))
    model.train(model.training)
    return model

# %% wrong: a-copy-is-fused | The model is deep-copied first and the copy is fused: the model that was given is not changed, and the result has weights of its own instead of the model's.
def fuse(model):
    import copy
    fast = copy.deepcopy(model)
    for part in list(fast.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                part._modules[name] = FusedMultiHeadAttention(child)
            elif hasattr(child, "gamma"):
                part._modules[name] = FusedLayerNorm(child)
    return fast.train(model.training)

# %% wrong: looks-for-torch-norms | Norms are looked for with isinstance(child, nn.LayerNorm), but those of the model are the student's own class, known by its gamma: no norm is replaced.
def fuse(model):
    training = model.training
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            if isinstance(child, nn.LayerNorm):
                setattr(part, name, FusedLayerNorm(child))
    model.train(training)
    return model

# %% right: parents-by-name
def fuse(model):
    for name, module in list(model.named_modules()):
        if not name:
            continue
        if hasattr(module, "w_q"):
            fast = FusedMultiHeadAttention(module)
        elif hasattr(module, "gamma"):
            fast = FusedLayerNorm(module)
        else:
            continue
        parent_name, _, child_name = name.rpartition(".")
        fast.train(module.training)
        setattr(model.get_submodule(parent_name), child_name, fast)
    return model
