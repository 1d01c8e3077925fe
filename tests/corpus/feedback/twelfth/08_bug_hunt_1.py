# %% wrong: rows_times_columns_of_vectors | TRUE CAUSE: the size is computed as first axis times last axis, which for a vector (bias, scale) is its length squared
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
# %% wrong: marked_by_inner_name | TRUE CAUSE: parameters are recognised by their name inside the child, so different parameters with equal names in two children (such as weight) count once, and a shared one with two names counts twice
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
# %% wrong: own_parts_without_parameters_missing | TRUE CAUSE: the dictionary is filled from the parameters' full names, so children that have no parameters, or only shared ones, get no entry with 0, and the model's own direct parameters get entries although they are no children
def size_of_parts(model):
    from collections import Counter

    sizes = Counter()
    for full_name, parameter in model.named_parameters():
        sizes[full_name.split(".")[0]] += parameter.numel()
    return dict(sizes)
# %% wrong: own_seen_anew_in_each_part | TRUE CAUSE: the set of seen parameters is made anew within each child (by the helper), so a matrix shared by several children counts in each of them
def count_once(part):
    seen = {id(p): p.numel() for p in part.parameters()}
    return sum(seen.values())


def size_of_parts(model):
    return {name: count_once(part) for name, part in model.named_children()}
