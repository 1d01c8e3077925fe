# %% wrong: always-train | Ends with model.train(), so the model is in train mode whatever it was in before; the model has to keep its mode.
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    model.train()
    return model

# %% wrong: parent-fused | Makes the fast attention from the parent, part, instead of from the attention itself, child. The parent has no num_heads and no w_q (AttributeError) as a rule.
def fuse(model):
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(part))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    model.train(model.training)
    return model

# %% wrong: children-only | Looks at the model's own children only and never goes deeper, so the attentions and norms inside its layers stay as they are.
def fuse(model):
    was_training = model.training
    for name, child in list(model.named_children()):
        if hasattr(child, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(child))
        elif hasattr(child, "gamma"):
            setattr(model, name, FusedLayerNorm(child))
    return model.train(was_training)

# %% wrong: copy-fused | Fuses a deep copy and returns that. The weights of the result are others than the model's, and the model itself is left as it was; the fast parts are to be put into the model, and its weights stay.
def fuse(model):
    fused = copy.deepcopy(model)
    for part in list(fused.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    fused.train(model.training)
    return fused

# %% wrong: mode-forgotten | Forgets the mode. New parts come in train mode, so in a model that was in eval mode the attentions are in train mode (and their dropout rate is used), while the rest is not.
def fuse(model):
    fast = (("w_q", FusedMultiHeadAttention), ("gamma", FusedLayerNorm))
    for part in list(model.modules()):
        for name, child in part.named_children():
            for attribute, kind in fast:
                if hasattr(child, attribute):
                    setattr(part, name, kind(child))
                    break
    return model

# %% wrong: torchs-norms-only | Knows a norm by its class, nn.LayerNorm, as scripts that patch Hugging Face's models do. The model's norms are the ones of lesson 03, known by their gamma, so none of them is replaced.
def fuse(model):
    training = model.training
    def patch(module):
        for name, child in module.named_children():
            if hasattr(child, "w_q"):
                module._modules[name] = FusedMultiHeadAttention(child)
            elif isinstance(child, nn.LayerNorm):
                module._modules[name] = FusedLayerNorm(child)
            else:
                patch(child)
    patch(model)
    model.train(training)
    return model

# %% wrong: two-encoder-alone-and-eval | Two mistakes. Goes through the encoder only, so the decoder's attentions and norms stay slow; and ends with model.eval(), since fast parts are for decoding, instead of leaving the model in its mode.
def fuse(model):
    for part in list(model.encoder.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
    model.eval()
    return model

# %% wrong: first-of-each-part | Stops at the first child that fits in each part (break), thinking of one attention or norm for each module; a decoder layer has two attentions, and the second stays as it is.
def fuse(model):
    mode = model.training
    for part in list(model.modules()):
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                setattr(part, name, FusedMultiHeadAttention(child))
                break
            if hasattr(child, "gamma"):
                setattr(part, name, FusedLayerNorm(child))
                break
    model.train(mode)
    return model

# %% right: recursive
def fuse(model):
    mode = model.training
    def visit(module):
        for name, child in list(module.named_children()):
            if hasattr(child, "w_q"):
                setattr(module, name, FusedMultiHeadAttention(child))
            elif hasattr(child, "gamma"):
                setattr(module, name, FusedLayerNorm(child))
            else:
                visit(child)
    visit(model)
    return model.train(mode)

# %% right: by-full-name
def fuse(model):
    was_training = model.training
    for full_name, old in list(model.named_modules()):
        if full_name and hasattr(old, "w_q"):
            new = FusedMultiHeadAttention(old)
        elif full_name and hasattr(old, "gamma"):
            new = FusedLayerNorm(old)
        else:
            continue
        parent, _, own_name = full_name.rpartition(".")
        setattr(model.get_submodule(parent), own_name, new)
    model.train(was_training)
    return model
