# %% wrong: left_in_eval | TRUE CAUSE: model.eval() at the end: a model that was training is not in its mode any more
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
    model.eval()  # new parts come in train mode; blank: mode
    return model

# %% wrong: left_in_train | TRUE CAUSE: model.train() at the end: a model in eval mode is switched to train mode
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

# %% wrong: made_from_the_wrong_part | TRUE CAUSE: the fused attention is made from `part`, the layer that holds it, not from `child`, the attention
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(part))  # blank: fused
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train(model.training)  # new parts come in train mode; blank: mode
    return model

# %% wrong: set_on_the_model | TRUE CAUSE: the new part is set on the model itself, not on the part that holds the old one: the layers keep their slow parts and the model gets extra ones
def fuse(model):
    was_training = model.training
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                setattr(model, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(model, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(model, name, FastDropout(child))
    model.train(was_training)
    return model

# %% wrong: only_direct_children | TRUE CAUSE: looks at the model's own children only, so nothing inside the layers is replaced
def fuse(model):
    mode = model.training
    for name, child in model.named_children():
        if hasattr(child, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(child))
        elif hasattr(child, "gamma"):
            setattr(model, name, FusedLayerNorm(child))
        elif isinstance(child, nn.Dropout):
            setattr(model, name, FastDropout(child))
    model.train(mode)
    return model

# %% wrong: fuses_a_copy | TRUE CAUSE: fuses a deep copy and returns that: the model keeps its slow parts, and the copy has weights of its own
import copy


def fuse(model):
    fused = copy.deepcopy(model)
    for part in list(fused.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    return fused.train(model.training)

# %% wrong: no_dropouts_no_mode | TRUE CAUSE: two mistakes: dropouts are not replaced, and the mode of the new parts is left as it comes (train), also where the model is in eval mode
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    return model
