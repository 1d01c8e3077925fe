# %% wrong: everything_in_train_mode | TRUE CAUSE: takes the comment about train mode for the wish: the blank mode calls model.train(), so a model that was in eval mode comes back in train mode
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
    model.train()
    return model

# %% wrong: attention_from_a_copy | TRUE CAUSE: the blank fused makes the fast attention from a deep copy of the child, so the model's attention weights are replaced by copies: an optimizer that has the old ones trains nothing there
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay.

    An attention is known by its w_q, a norm by its gamma. The weights keep their names, and the
    model its mode. Returns the model.
    """
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(copy.deepcopy(child)))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    model.train(model.training)
    return model

# %% wrong: own_norms_by_class | TRUE CAUSE: norms are recognised by isinstance(child, nn.LayerNorm) instead of by their gamma, so the model's own LayerNorms stay as they are
def fast_version(module):
    if hasattr(module, "w_q"):
        return FusedMultiHeadAttention(module)
    if isinstance(module, nn.LayerNorm):
        return FusedLayerNorm(module)
    if isinstance(module, nn.Dropout):
        return FastDropout(module)
    return None


def fuse(model):
    def visit(parent):
        for name, child in list(parent.named_children()):
            new = fast_version(child)
            if new is None:
                visit(child)
            else:
                setattr(parent, name, new.train(child.training))

    visit(model)
    return model

# %% wrong: own_path_without_parents | TRUE CAUSE: setattr is called on the whole model with the last piece of the dotted name instead of on the module that holds the child, so new unused parts are registered at the top and nothing inside is replaced
def fuse(model):
    training = model.training
    found = [(path, m) for path, m in model.named_modules() if path]
    for path, m in found:
        *_, name = path.split(".")
        if hasattr(m, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(m))
        elif hasattr(m, "gamma"):
            setattr(model, name, FusedLayerNorm(m))
        elif isinstance(m, nn.Dropout):
            setattr(model, name, FastDropout(m))
    return model.train(training)
