# %% wrong: attention_copied | TRUE CAUSE: the fused attention is made from a deep copy of the child, so the model has new weights that are not the parameters it had before
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay."""
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

# %% wrong: mode_of_the_last_part | TRUE CAUSE: the last line sets the mode of `part`, the loop's last part, instead of the whole model, so the other new parts of a model in eval mode stay in train mode and drop
def fuse(model):
    """Put fast parts in place of a model's attentions, norms and dropouts; its weights stay."""
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
            elif isinstance(child, nn.Dropout):
                setattr(part, name, FastDropout(child))
    part.train(model.training)
    return model

# %% wrong: own_collected_by_name | TRUE CAUSE: the new parts are collected in a dict under their short names, so those of the same name overwrite each other and every layer gets the last one's attention, norm and dropout
def fuse(model):
    training = model.training
    fast = {}
    for part in model.modules():
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                fast[name] = FusedMultiHeadAttention(child)
            elif hasattr(child, "gamma"):
                fast[name] = FusedLayerNorm(child)
            elif isinstance(child, nn.Dropout):
                fast[name] = FastDropout(child)
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            slow = hasattr(child, "w_q") or hasattr(child, "gamma") or isinstance(child, nn.Dropout)
            if slow and name in fast:
                setattr(part, name, fast[name])
    return model.train(training)

# %% wrong: own_stacks_only | TRUE CAUSE: only the modules of model.encoder and model.decoder are walked through, so the dropouts beside the embeddings (src_embed and tgt_embed) stay nn.Dropout
def fuse(model):
    def fast(old):
        if hasattr(old, "w_q"):
            return FusedMultiHeadAttention(old)
        if hasattr(old, "gamma"):
            return FusedLayerNorm(old)
        if isinstance(old, nn.Dropout):
            return FastDropout(old)
        return old

    for stack in (model.encoder, model.decoder):
        for module in list(stack.modules()):
            for name, old in list(module.named_children()):
                new = fast(old)
                if new is not old:
                    new.train(old.training)
                    setattr(module, name, new)
    return model
