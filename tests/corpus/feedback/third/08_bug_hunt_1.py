# %% wrong: only_numel | TRUE CAUSE: only len is replaced by numel; parameters are still told apart by their shape, so different ones of the same shape count once
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

# %% wrong: only_the_mark | TRUE CAUSE: only the mark is repaired; len(parameter) still counts the rows of a matrix and not its numbers
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

# %% wrong: mark_is_the_childs_name | TRUE CAUSE: numel is right, but the mark is the name of the child, so only the first parameter of each child is counted and sharing is not noticed
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = name
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: mark_is_the_parameters_name | TRUE CAUSE: numel is right, but the mark is the parameter's name within its child, so equal names in two children (layers.0...., weight) count once and a shared matrix under two names counts twice
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}."""
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for mark, parameter in part.named_parameters():
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: forgets_between_children | TRUE CAUSE: numel and id are right, but seen is made anew for each child, so a matrix that several children share counts for each of them
def size_of_parts(model):
    sizes = {}
    for name, part in model.named_children():
        seen = set()
        sizes[name] = 0
        for parameter in part.parameters():
            if id(parameter) not in seen:
                sizes[name] += parameter.numel()
                seen.add(id(parameter))
    return sizes

# %% wrong: equal_numbers_taken_for_shared | TRUE CAUSE: numel is right, but parameters are compared by their numbers, so separate ones that happen to be equal (all norm scales are 1 at the start) count once
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}."""
    sizes, seen = {}, []
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            if not any(torch.equal(parameter, other) for other in seen):
                sizes[name] += parameter.numel()
                seen.append(parameter)
    return sizes

# %% wrong: rows_times_columns | TRUE CAUSE: the mark is right, but the numbers are counted as size(0) * size(1), which vectors such as biases do not have
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}."""
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = id(parameter)
            if mark not in seen:
                sizes[name] += parameter.size(0) * parameter.size(1)
            seen.add(mark)
    return sizes
