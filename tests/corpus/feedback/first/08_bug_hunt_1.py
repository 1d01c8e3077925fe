# %% wrong: marked_by_shape | TRUE CAUSE: numel is counted now, but parameters are still told apart by their shape, so a second one of the same shape is not counted
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


# %% wrong: vectors_squared | TRUE CAUSE: parameters are told apart by identity now, but the number is taken as first size times last size, which squares the length of a vector
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
                sizes[name] += len(parameter) * parameter.shape[-1]
            seen.add(mark)
    return sizes


# %% wrong: forgets_between_parts | TRUE CAUSE: both bugs are repaired, but each part starts with an empty memory of what was seen, so a matrix shared by several children counts in each of them
def size_of_parts(model):
    sizes = {}
    for name, part in model.named_children():
        seen = set()
        total = 0
        for parameter in part.parameters():
            if id(parameter) in seen:
                continue
            seen.add(id(parameter))
            total += parameter.numel()
        sizes[name] = total
    return sizes
