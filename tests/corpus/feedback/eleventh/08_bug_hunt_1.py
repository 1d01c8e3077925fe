# %% wrong: rows_instead_of_numbers | TRUE CAUSE: only the mark was mended (identity instead of shape); len(parameter) is left, which counts a matrix's rows instead of its numbers
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
# %% wrong: marked_by_name_inside_the_part | TRUE CAUSE: the mark is the parameter's name relative to its child, so parameters of a later child with the same inner name are skipped and a shared matrix with different names counts twice
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
# %% wrong: own_seen_only_inside_each_part | TRUE CAUSE: duplicates are removed only within one child (a new dict per child), so a matrix that several children share counts in each of them
def size_of_parts(model):
    return {
        name: sum({id(p): p.numel() for p in part.parameters()}.values())
        for name, part in model.named_children()
    }
# %% wrong: own_counted_for_the_last | TRUE CAUSE: the owner of a parameter is overwritten by each later child that holds it, so a shared matrix counts for the last child instead of the first
def size_of_parts(model):
    owner = {}
    for name, part in model.named_children():
        for p in part.parameters():
            owner[p] = name
    sizes = {name: 0 for name, _ in model.named_children()}
    for p, name in owner.items():
        sizes[name] += p.numel()
    return sizes
