# %% wrong: train_mode_always | TRUE CAUSE: At the end the whole model is put into train mode, also if it was in eval mode.
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

# %% wrong: made_from_the_parent | TRUE CAUSE: The fused attention is made from part, the module around it, instead of from child (crash: it has no num_heads).
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(attention=part))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    [piece.train(model.training) for piece in model.modules()]  # new parts come in train mode
    return model

# %% wrong: dotted_names | TRUE CAUSE: The fast parts are set on the model itself under dotted names of named_modules, so the old parts stay in use and the new ones stand beside them.
def fuse(model):
    was_training = model.training
    for name, child in list(model.named_modules()):
        if hasattr(child, "w_q"):
            model._modules[name] = FusedMultiHeadAttention(child)
        elif hasattr(child, "gamma"):
            model._modules[name] = FusedLayerNorm(child)
        elif type(child) is nn.Dropout:
            model._modules[name] = FastDropout(child)
    return model.train(was_training)

# %% wrong: fused_copy_with_old_dropouts | TRUE CAUSE: Two mistakes: a deep copy of the model is fused and returned, so the model that was given stays as it is and its weights are not shared; and the dropouts are not replaced.
import copy


def fuse(model):
    """Go down through the children, and replace what can be replaced."""

    def replace(part):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            else:
                replace(child)
        return part

    fast = replace(copy.deepcopy(model))
    fast.train(model.training)
    return fast
