# %% wrong: own_children_without_parameters_missing | The sizes are collected from the parameters and their first owner, so a child that owns none (no parameters, or only shared ones) has no entry at all, instead of 0.
def size_of_parts(model):
    owner = {}
    for name, part in model.named_children():
        for parameter in part.parameters():
            owner.setdefault(id(parameter), (name, parameter.numel()))
    sizes = {}
    for name, number in owner.values():
        sizes[name] = sizes.get(name, 0) + number
    return sizes
