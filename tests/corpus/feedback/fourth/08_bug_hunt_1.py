# %% wrong: shape_left | TRUE CAUSE: the count is repaired, the mark is not: parameters of the same shape are taken for the same one
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = parameter.shape
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: len_left | TRUE CAUSE: the mark is repaired, the count is not: len counts the rows of a matrix only
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = id(parameter)
            if mark not in seen:
                sizes[name] += len(parameter)
            seen.add(mark)
    return sizes

# %% wrong: seen_in_each_part | TRUE CAUSE: both bugs are repaired, but `seen` is made anew for each child, so what two children share counts twice
def size_of_parts(model):
    sizes = {}
    for name, part in model.named_children():
        sizes[name], seen = 0, set()
        for parameter in part.parameters():
            mark = id(parameter)
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: same_numbers_same_parameter | TRUE CAUSE: the mark is made of the numbers, so different parameters that hold the same numbers (biases of zeros, scales of ones) count once only
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = tuple(parameter.detach().flatten().tolist())
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: rows_times_columns | TRUE CAUSE: counts rows times columns, which fails for biases: a vector has no second size
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = id(parameter)
            if mark not in seen:
                sizes[name] += parameter.size(0) * parameter.size(1)
            seen.add(mark)
    return sizes

# %% wrong: name_as_mark | TRUE CAUSE: the mark is the name within the child: equal names in different children are taken for one parameter
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}."""
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for inner, parameter in part.named_parameters():
            if inner not in seen:
                sizes[name] += parameter.numel()
            seen.add(inner)
    return sizes

# %% wrong: count_of_the_last_shape | TRUE CAUSE: two mistakes: the mark is still the shape, and the number of the child is overwritten with each parameter, not added up
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = parameter.shape
            if mark not in seen:
                sizes[name] = parameter.numel()
            seen.add(mark)
    return sizes
