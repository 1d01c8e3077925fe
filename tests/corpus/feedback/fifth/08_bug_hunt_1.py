# %% wrong: known_by_name | TRUE CAUSE: the count is repaired, but a parameter is recognized by its name within the part: different matrices of the same name count once, and a shared one with two names counts twice
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for mark, parameter in part.named_parameters():
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes


# %% wrong: first_size_times_last | TRUE CAUSE: the identity is repaired, but the numbers are counted as first size times last size, which squares the length of a vector (a bias)
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
                sizes[name] += parameter.shape[0] * parameter.shape[-1]
            seen.add(mark)
    return sizes


# %% wrong: id_of_a_passing_object | TRUE CAUSE: the mark is id(parameter.data), the id of an object that is made anew at each access and gone at once, so different parameters get the same mark and a shared one may get two
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = id(parameter.data)
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes


# %% wrong: seen_starts_anew_in_each_part | TRUE CAUSE: both bugs are repaired, but `seen` was moved into the loop and starts empty for each child, so a matrix shared by several children counts for each of them
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
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
