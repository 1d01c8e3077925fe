# %% wrong: always_train | TRUE CAUSE: The model is put in train mode in any case; one that was in eval mode does not keep its mode.
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


# %% wrong: mode_of_the_last_part | TRUE CAUSE: Sets the mode of `part`, the last module of the loop, instead of the whole model's: the new parts stay in train mode.
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
    part.train(model.training)  # new parts come in train mode; blank: mode
    return model


# %% wrong: class_not_instance | TRUE CAUSE: Assigns the class FusedMultiHeadAttention instead of one made from the child (crashes: a class is no module).
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention)  # blank: fused
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train(model.training)  # new parts come in train mode; blank: mode
    return model


# %% wrong: only_the_top | TRUE CAUSE: Looks at the direct children of the model only, so nothing inside encoder and decoder is replaced.
def fuse(model):
    for name, child in list(model.named_children()):
        if hasattr(child, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(child))
        elif hasattr(child, "gamma"):
            setattr(model, name, FusedLayerNorm(child))
        elif isinstance(child, nn.Dropout):
            setattr(model, name, FastDropout(child))
    model.train(model.training)
    return model


# %% wrong: dotted_names | TRUE CAUSE: Sets the new parts on the model itself under their dotted names (named_modules), not on their parents: the old parts still do the work, and the model has additional parameters under doubled names.
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


# %% wrong: norms_known_by_pytorchs_class | TRUE CAUSE: Recognizes norms by isinstance(child, nn.LayerNorm), but the model's norms are the course's own LayerNorm, so none of them is replaced.
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                new = FusedMultiHeadAttention(child)
            elif isinstance(child, nn.LayerNorm):
                new = FusedLayerNorm(child)
            elif isinstance(child, nn.Dropout):
                new = FastDropout(child)
            else:
                continue
            setattr(part, name, new)
    return model.train(model.training)


# %% wrong: a_copy_in_train_mode | TRUE CAUSE: two mistakes: it fuses and returns a deep copy, so the model that was passed stays as it was and shares no weights, and the new parts are left in train mode (`model.training` alone does nothing).
import copy


def fuse(model):
    model = copy.deepcopy(model)
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.training
    return model
