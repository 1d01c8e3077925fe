# %% wrong: always_train_mode | The blank `mode` is model.train(), so a model that was in eval mode comes back in train mode. It should stay in the mode that it was in.
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    model.train()  # new parts come in train mode; blank: mode
    return model
# %% wrong: attention_of_copies | The fused attention is made from a deep copy of the child, so the model gets new parameters: an optimizer made before goes on with the old ones, and tied weights come apart. The model's own weights should stay.
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(copy.deepcopy(child)))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    model.train(model.training)  # new parts come in train mode; blank: mode
    return model
# %% wrong: own_dotted_names | The names of named_modules are whole paths ("encoder.layers.0.norm"); setattr(model, path, new) does not follow the dots, but adds a new part of that name to the model itself. The nested parts are not replaced.
def fuse(model):
    new_parts = {}
    for path, part in model.named_modules():
        if hasattr(part, "w_q"):
            new_parts[path] = FusedMultiHeadAttention(part)
        elif hasattr(part, "gamma"):
            new_parts[path] = FusedLayerNorm(part)
    for path, new in new_parts.items():
        new.train(model.training)
        setattr(model, path, new)
    return model
# %% wrong: own_norms_by_torch_class | Norms are looked for with isinstance(child, nn.LayerNorm), but the model has the student's own LayerNorm, which is no subclass of it and is known by its gamma. No norm is replaced.
def fuse(model):
    def fast(child):
        if hasattr(child, "w_q"):
            return FusedMultiHeadAttention(child)
        if isinstance(child, nn.LayerNorm):
            return FusedLayerNorm(child)
        return None
    training = model.training
    found = [
        (part, name, fast(child))
        for part in model.modules()
        for name, child in part.named_children()
    ]
    for part, name, new in found:
        if new is not None:
            setattr(part, name, new)
    return model.train(training)
