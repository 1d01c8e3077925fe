# %% wrong: always_train_mode | TRUE CAUSE: puts the whole model into train mode at the end instead of leaving it in the mode that it had
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))  # blank: fused
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train()  # new parts come in train mode; blank: mode
    return model


# %% wrong: dotted_names_on_the_model | TRUE CAUSE: sets the new parts on the model itself under their dotted path names, so the parts that are really called are never replaced
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay."""
    was_training = model.training
    for name, part in list(model.named_modules()):
        if hasattr(part, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(part))
        elif hasattr(part, "gamma"):
            setattr(model, name, FusedLayerNorm(part))
        elif isinstance(part, nn.Dropout):
            setattr(model, name, FastDropout(part))
    model.train(was_training)
    return model


# %% wrong: copied_attention_and_eval | TRUE CAUSE: two mistakes: the fused attention is made from a deep copy, so its weights are no longer those of the model, and the model always ends in eval mode
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(copy.deepcopy(child)))  # blank: fused
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.eval()  # new parts come in train mode; blank: mode
    return model
