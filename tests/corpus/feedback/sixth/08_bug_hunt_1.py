# %% wrong: marked_by_name_and_shape | TRUE CAUSE: the mark is the part's name and the shape: a matrix shared by two parts counts twice, and two matrices of one shape in a part count once
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = (name, parameter.shape)
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: sum_of_the_shape | TRUE CAUSE: the sharing is fixed, but the size is the sum of the axes' lengths instead of their product
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
                sizes[name] += sum(parameter.shape)
            seen.add(mark)
    return sizes

# %% wrong: seen_forgotten_for_each_part | TRUE CAUSE: seen starts empty for each part, so a matrix that several parts share is counted in each of them
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}."""
    sizes = {}
    for name, part in model.named_children():
        seen = set()
        sizes[name] = 0
        for parameter in part.parameters():
            if id(parameter) in seen:
                continue
            seen.add(id(parameter))
            sizes[name] += parameter.numel()
    return sizes

