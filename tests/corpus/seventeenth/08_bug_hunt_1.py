# %% wrong: only-numel | All numbers are counted now, but parameters are still recognized by their shape, so of different matrices of one shape only the first counts.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = parameter.shape
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: by-name | Parameters are recognized by their names within the part, but two children of the same make have the same names for different parameters, and a shared matrix has different names, so what counts once is wrong both ways.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for mark, parameter in part.named_parameters():
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: forgets-between-children | What has been seen is forgotten at each child, so a matrix that several children share counts once for each of them.
def size_of_parts(model):
    def size(part):
        seen, total = set(), 0
        for parameter in part.parameters():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                total += parameter.numel()
        return total
    return {name: size(part) for name, part in model.named_children()}

# %% wrong: prefix-of-named-parameters | The parts are read off the names of the model's parameters (each shared one listed once), so a child that has none of its own, or only shared ones, is missing from the result instead of standing there with 0, and the model's own parameters are listed as if they were children.
def size_of_parts(model):
    sizes = {}
    for full_name, parameter in model.named_parameters():
        part = full_name.split(".", 1)[0]
        sizes[part] = sizes.get(part, 0) + parameter.numel()
    return sizes

# %% wrong: no-recursion-no-memory | Two mistakes. Only the parameters that belong to a child directly are counted (recurse=False), not those of the modules inside it; and only trainable ones, though a frozen parameter is one as well.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        own = [p for p in part.parameters(recurse=False) if p.requires_grad]
        sizes[name] = sum(p.numel() for p in own if p not in seen)
        seen.update(own)
    return sizes

# %% right: set-of-parameters
def size_of_parts(model):
    counted = set()
    sizes = {}
    for name, part in model.named_children():
        fresh = set(part.parameters()) - counted
        sizes[name] = sum(math.prod(parameter.shape) for parameter in fresh)
        counted |= fresh
    return sizes

# %% right: first-owner
def size_of_parts(model):
    sizes = {name: 0 for name, _ in model.named_children()}
    owner = {}
    for name, part in model.named_children():
        for parameter in part.parameters():
            owner.setdefault(id(parameter), (name, parameter.nelement()))
    for name, number in owner.values():
        sizes[name] += number
    return sizes
