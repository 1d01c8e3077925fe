# %% wrong: len_left | TRUE CAUSE: only the mark was repaired (identity instead of shape); len(parameter) still counts the rows of a matrix, not its numbers
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


# %% wrong: mark_is_name_in_part | TRUE CAUSE: a parameter is recognized by its name within its part, so different parameters of the same name in two parts (encoder and decoder) count once, and a tied one with two names counts twice
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for key, parameter in part.named_parameters():
            if key not in seen:
                sizes[name] += parameter.numel()
            seen.add(key)
    return sizes


# %% wrong: equal_values_taken_for_shared | TRUE CAUSE: two parameters are taken for the same one if their numbers are equal, so separate ones that start alike (biases of 0, norm scales of 1) count only once
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
