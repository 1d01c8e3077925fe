# %% wrong: always_eval | TRUE CAUSE: the model is put into eval mode at the end, not into the mode that it was in, so a model in training loses its dropout
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
    model.eval()  # new parts come in train mode
    return model


# %% wrong: full_names_set_on_the_model | TRUE CAUSE: loops over named_modules and sets the new part on the model under its full name with dots: the parts deeper down stay as they were, and the model gets extra entries besides
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay."""
    for name, child in list(model.named_modules()):
        if hasattr(child, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(child))
        elif hasattr(child, "gamma"):
            setattr(model, name, FusedLayerNorm(child))
        elif isinstance(child, nn.Dropout):
            setattr(model, name, FastDropout(child))
    model.train(model.training)
    return model


# %% wrong: fuses_a_copy | TRUE CAUSE: a deep copy is changed and returned, so the given model stays slow and the weights of the result are copies of its weights
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay."""
    mode = model.training
    model = copy.deepcopy(model)
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                new = FusedMultiHeadAttention(child)
            elif hasattr(child, "gamma"):
                new = FusedLayerNorm(child)
            elif isinstance(child, nn.Dropout):
                new = FastDropout(child)
            else:
                continue
            setattr(part, name, new)
    model.train(mode)
    return model
