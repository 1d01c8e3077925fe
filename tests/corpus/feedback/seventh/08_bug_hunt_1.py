# %% wrong: marks_by_name_within_part | TRUE CAUSE: a parameter is recognized by its name inside the part, so equal names in different parts (src_embed and tgt_embed) count as one matrix, and a tied matrix with another name (proj.weight) is counted again
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

# %% wrong: seen_afresh_in_each_part | TRUE CAUSE: the set of what was seen is emptied for each child, so a matrix that several children share counts once in each of them
def size_of_parts(model):
    sizes = {}
    for name, part in model.named_children():
        total, seen = 0, set()
        for parameter in part.parameters():
            if id(parameter) in seen:
                continue
            seen.add(id(parameter))
            total += parameter.numel()
        sizes[name] = total
    return sizes

# %% wrong: first_times_last_size | TRUE CAUSE: counts the numbers as first size times last size, which is right for a matrix but squares the size of a vector (biases, norms), whose first and last axis are the same
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
