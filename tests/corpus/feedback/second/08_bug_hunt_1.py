# %% wrong: still_by_shape | TRUE CAUSE: Mended halfway: all numbers of a matrix are counted now, but matrices are still told apart by their shape, so different ones of the same shape count once.
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

# %% wrong: rows_times_columns | TRUE CAUSE: The mark is right now (the parameter's id), but the count is first size times last size, which for a vector is its length squared.
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
                sizes[name] += parameter.size(0) * parameter.size(-1)
            seen.add(mark)
    return sizes

# %% wrong: seen_per_part | TRUE CAUSE: Both bugs are mended, but the set of seen parameters is now emptied for each child, so a matrix that several children share counts for each of them.
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}."""
    sizes = {}
    for name, part in model.named_children():
        seen = set()
        sizes[name] = 0
        for parameter in part.parameters():
            if parameter not in seen:
                sizes[name] += parameter.numel()
            seen.add(parameter)
    return sizes
