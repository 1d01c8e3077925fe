# %% wrong: always_eval | TRUE CAUSE: the model is put into eval mode at the end, instead of keeping the mode that it had
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


# %% wrong: attention_of_a_copy | TRUE CAUSE: the fused attention is made from a deep copy of the attention, so the model gets new parameters instead of sharing the old ones
import copy


def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                attention = copy.deepcopy(child)
                setattr(part, name, FusedMultiHeadAttention(attention))  # blank: fused
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train(model.training)  # new parts come in train mode; blank: mode
    return model


# %% wrong: default_rate_and_no_mode | TRUE CAUSE: two mistakes: each dropout is replaced by one of the default rate of nn.Dropout() (0.5) instead of its own rate, and the mode is not restored, so the new parts of a model in eval mode are in train mode
def fuse(model):
    for name, child in list(model.named_children()):
        if hasattr(child, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(child))
        elif hasattr(child, "gamma"):
            setattr(model, name, FusedLayerNorm(child))
        elif isinstance(child, nn.Dropout):
            setattr(model, name, FastDropout(nn.Dropout()))
        else:
            fuse(child)
    return model
