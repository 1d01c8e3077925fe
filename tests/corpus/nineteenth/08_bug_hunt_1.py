# %% wrong: still-len | A parameter is recognized by its identity now, but len() still counts only the rows of a matrix, not its numbers.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = id(parameter)
            if mark not in seen:
                sizes[name] += len(parameter)
            seen.add(mark)
    return sizes

# %% wrong: shared-only-within-a-part | `parameters()` leaves out repeated parameters within one part only; a matrix that several parts share is counted for each of them.
def size_of_parts(model):
    return {
        name: sum(p.numel() for p in part.parameters()) for name, part in model.named_children()
    }

# %% wrong: recognized-by-name | A parameter is recognized by its name within its part: equal names in two parts are different parameters (both embeddings), and a shared matrix has two different names.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for mark, parameter in part.named_parameters():
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: recognized-by-its-values | Two parameters are taken for one if they hold equal numbers: different vectors of ones or zeros, such as the scales and shifts of new norms, count only once.
def size_of_parts(model):
    sizes, seen = {}, []
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            known = any(torch.equal(parameter, other) for other in seen)
            if not known:
                sizes[name] += math.prod(parameter.shape)
                seen.append(parameter)
    return sizes

# %% wrong: counted-for-the-last | The dictionary from parameter to part is overwritten by each further part: a shared matrix is counted for the last child that has it, not for the first.
def size_of_parts(model):
    owner, numbers = {}, {}
    sizes = {name: 0 for name, _ in model.named_children()}
    for name, part in model.named_children():
        for parameter in part.parameters():
            owner[id(parameter)] = name
            numbers[id(parameter)] = parameter.numel()
    for mark, name in owner.items():
        sizes[name] += numbers[mark]
    return sizes

# %% right: parameters-themselves
def size_of_parts(model):
    counted = set()
    sizes = {}
    for name, part in model.named_children():
        fresh = set(part.parameters()) - counted
        sizes[name] = sum(parameter.numel() for parameter in fresh)
        counted |= fresh
    return sizes
