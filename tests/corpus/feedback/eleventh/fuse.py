# %% wrong: always_train_mode | TRUE CAUSE: the last line calls model.train() without the model's mode, so a model that came in eval mode is in train mode afterwards
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
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

# %% wrong: mode_of_the_last_part | TRUE CAUSE: the mode is set on part, which after the loop is only the last module of the list, so the new parts of a model in eval mode stay in train mode
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    part.train(model.training)  # new parts come in train mode
    return model

# %% wrong: own_dotted_names | TRUE CAUSE: named_modules gives dotted paths, and setattr on the model with such a name registers extra children on the model and leaves the nested parts as they are
def fuse(model):
    was_training = model.training
    for name, module in list(model.named_modules()):
        if hasattr(module, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(module))
        elif hasattr(module, "gamma"):
            setattr(model, name, FusedLayerNorm(module))
        elif isinstance(module, nn.Dropout):
            setattr(model, name, FastDropout(module))
    model.train(was_training)
    return model

# %% wrong: own_on_a_copy | TRUE CAUSE: the fast parts are put into a deep copy that is returned, so the given model is not changed and the weights are copies and not its own
def fuse(model):
    import copy

    def fast(child):
        if hasattr(child, "w_q"):
            return FusedMultiHeadAttention(child)
        if hasattr(child, "gamma"):
            return FusedLayerNorm(child)
        if isinstance(child, nn.Dropout):
            return FastDropout(child)
        return None

    result = copy.deepcopy(model)
    for part in list(result.modules()):
        for name, child in list(part.named_children()):
            new = fast(child)
            if new is not None:
                setattr(part, name, new)
    return result.train(model.training)
