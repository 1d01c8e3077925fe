# %% wrong: own_path_without_parents | setattr is called on the whole model with the last piece of the dotted name instead of on the module that holds the child, so new unused parts are registered at the top and nothing inside is replaced
def fuse(model):
    training = model.training
    found = [(path, m) for path, m in model.named_modules() if path]
    for path, m in found:
        *_, name = path.split(".")
        if hasattr(m, "w_q"):
            setattr(model, name, FusedMultiHeadAttention(m))
        elif hasattr(m, "gamma"):
            setattr(model, name, FusedLayerNorm(m))
    return model.train(training)
