# %% wrong: always_train | TRUE CAUSE: the model is put in train mode, whatever mode it was in
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train()  # new parts come in train mode
    return model

# %% wrong: made_from_the_part | TRUE CAUSE: the fused attention is made from the part that holds the attention instead of from the attention (child), so it raises an AttributeError
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(part))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train(model.training)  # new parts come in train mode
    return model

# %% wrong: always_eval | TRUE CAUSE: the model is put in eval mode, so a model that was being trained stops dropping
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.eval()  # new parts come in train mode
    return model

# %% wrong: flag_one_level | TRUE CAUSE: only the flags of the model's direct children are set by hand, so the new parts deeper inside stay in train mode
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(attention=child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    [setattr(child, "training", model.training) for child in model.children()]  # new parts come in train mode
    return model

# %% wrong: copies_inside | TRUE CAUSE: the fused attention is made from a deep copy of the attention, so the model no longer has the very same parameters
def fuse(model):
    from copy import deepcopy

    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(deepcopy(child)))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train(mode=model.training)  # new parts come in train mode
    return model

# %% wrong: top_only | TRUE CAUSE: only the model's direct children are looked at, nothing deeper inside is replaced
def fuse(model):
    was_training = model.training

    def fast(child):
        if hasattr(child, "w_q"):
            return FusedMultiHeadAttention(child)
        if hasattr(child, "gamma"):
            return FusedLayerNorm(child)
        if isinstance(child, nn.Dropout):
            return FastDropout(child)
        return child

    for name, child in list(model.named_children()):
        setattr(model, name, fast(child))
    return model.train(was_training)

# %% wrong: another_model | TRUE CAUSE: a deep copy of the model is changed and returned, the model that was given stays as it is and shares no weights with the result
def fuse(model):
    import copy

    fused = copy.deepcopy(model)
    for part in list(fused.modules()):
        for name, child in list(part.named_children()):
            new = None
            if hasattr(child, "w_q"):
                new = FusedMultiHeadAttention(child)
            elif hasattr(child, "gamma"):
                new = FusedLayerNorm(child)
            elif isinstance(child, nn.Dropout):
                new = FastDropout(child)
            if new is not None:
                part.add_module(name, new)
    return fused.train(model.training)

# %% wrong: torchs_norm_and_nothing_back | TRUE CAUSE: two mistakes: norms are looked for as nn.LayerNorm, which the course's are not, so none is replaced; and nothing is returned
def fuse(model):
    def walk(part):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif isinstance(child, nn.LayerNorm):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
            else:
                walk(child)

    walk(model)
    model.train(model.training)
