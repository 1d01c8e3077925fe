# %% wrong: leaves_it_in_eval_mode | TRUE CAUSE: The last line calls model.eval() instead of model.train(model.training), so a model that was in train mode comes back in eval mode and is trained without dropout.
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

# %% wrong: fuses_a_copy | TRUE CAUSE: The parts are put into a deep copy of the model, which is returned, so the model that was passed in stays as it was, and the result shares no weights with it.
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    import copy

    model = copy.deepcopy(model)
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))  # blank: fused
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train(model.training)  # new parts come in train mode; blank: mode
    return model

# %% wrong: own_only_the_layers | TRUE CAUSE: Only the encoder's and decoder's layers and their direct children and sublayers are visited, so the dropouts of the embeddings and of the feed-forward networks and the norms behind the stacks (norm_first) stay as they are.
def fuse(model):
    was_training = model.training
    for layer in [*model.encoder.layers, *model.decoder.layers]:
        layer.self_attn = FusedMultiHeadAttention(layer.self_attn)
        if hasattr(layer, "cross_attn"):
            layer.cross_attn = FusedMultiHeadAttention(layer.cross_attn)
        for sublayer in layer.sublayers:
            sublayer.norm = FusedLayerNorm(sublayer.norm)
            sublayer.dropout = FastDropout(sublayer.dropout)
    return model.train(was_training)

# %% wrong: own_dotted_names_on_the_model | TRUE CAUSE: named_modules gives dotted paths, and setattr is called with the whole path on the model instead of with the last name on the parent, so the fast parts are only registered beside the old ones and the model goes on using the old ones.
def fuse(model):
    mode = model.training

    def fast(part):
        if hasattr(part, "w_q"):
            return FusedMultiHeadAttention(part)
        if hasattr(part, "gamma"):
            return FusedLayerNorm(part)
        if isinstance(part, nn.Dropout):
            return FastDropout(part)
        return None

    new = {name: fast(part) for name, part in model.named_modules()}
    for name, part in new.items():
        if part is not None:
            setattr(model, name, part)
    model.train(mode)
    return model

