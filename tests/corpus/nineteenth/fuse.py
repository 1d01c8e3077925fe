# %% wrong: dotted-names | Takes the dotted path of named_modules for an attribute's name and sets it on the model itself, which adds new entries at the top under names with dots and replaces nothing; the fast part has to be set on the child's own parent, under its last name.
def fuse(model):
    was_training = model.training
    for name, part in list(model.named_modules()):
        if hasattr(part, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(part))
        elif hasattr(part, "gamma"):
            setattr(model, name, FusedLayerNorm(part))
    model.train(was_training)
    return model

# %% wrong: children-only | Looks only at the model's direct children, but attentions and norms lie deeper, inside layers and their connections, and stay as they are; one has to go through all modules.
def fuse(model):
    was_training = model.training
    for name, child in list(model.named_children()):
        if hasattr(child, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(child))
        elif hasattr(child, "gamma"):
            setattr(model, name, FusedLayerNorm(child))
    return model.train(was_training)

# %% wrong: mode-not-restored | Never sets the mode afterwards: new parts come in train mode, so in a model in eval mode the fused attentions are in train mode and go on dropping.
def fuse(model):
    def replaced(child):
        if hasattr(child, "w_q"):
            return FusedMultiHeadAttention(child)
        if hasattr(child, "gamma"):
            return FusedLayerNorm(child)
        return fuse(child)
    for name, child in list(model.named_children()):
        setattr(model, name, replaced(child))
    return model

# %% wrong: fused-copy | Works on a deep copy of the model and returns that, so the model that was passed keeps its slow parts, and the result has copied weights that an optimizer of the model doesn't know; the fast parts go into the given model, whose weights stay.
def fuse(model):
    result = copy.deepcopy(model)
    for part in list(result.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    return result.train(model.training)

# %% wrong: known-by-their-names | Finds the parts by the names that they have in the model ("attn", "norm") and not by what they hold; an attention is known by its w_q and a norm by its gamma, whatever they are called.
def fuse(model):
    replacements = []
    for part in model.modules():
        for name, child in part.named_children():
            if name.endswith("attn"):
                replacements.append((part, name, FusedMultiHeadAttention(child)))
            elif name == "norm":
                replacements.append((part, name, FusedLayerNorm(child)))
    for part, name, fast in replacements:
        setattr(part, name, fast)
    model.train(model.training)
    return model

# %% right: by-parent-path
def fuse(model):
    mode = model.training
    fast_parts = {"w_q": FusedMultiHeadAttention, "gamma": FusedLayerNorm}
    for path, part in list(model.named_modules(remove_duplicate=False)):
        kind = next((fast for mark, fast in fast_parts.items() if hasattr(part, mark)), None)
        if path and kind is not None:
            parent, _, name = path.rpartition(".")
            setattr(model.get_submodule(parent), name, kind(part))
    return model.train(mode)
