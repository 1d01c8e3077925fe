# %% wrong: still-rows-only | Only the mark was mended (id); len(parameter) is still the length of its first axis, so a matrix counts as its number of rows, not as all its numbers.
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

# %% wrong: marked-by-name | A parameter is marked by its name within its child; two children of the same build, such as the layers of encoder and decoder, have the same names, so different matrices are taken for shared, while shared ones with different names are counted twice.
def size_of_parts(model):
    sizes, seen = {}, set()
    for child, part in model.named_children():
        total = 0
        for key, parameter in part.named_parameters():
            if key in seen:
                continue
            seen.add(key)
            total += parameter.numel()
        sizes[child] = total
    return sizes

# %% wrong: equal-numbers-are-one | Parameters are taken for shared if their numbers are equal (torch.equal); so different parameters with the same start, such as scales of 1 or biases of 0, count only once, though each is one of its own.
def size_of_parts(model):
    sizes, met = {}, []
    for name, part in model.named_children():
        new = []
        for parameter in part.parameters():
            if not any(torch.equal(parameter, other) for other in met):
                new.append(parameter.numel())
                met.append(parameter)
        sizes[name] = sum(new)
    return sizes

# %% wrong: set-made-anew-for-each-child | The set of what was seen is made anew for each child, so a matrix that several children share is counted in every one of them instead of only in the first.
def size_of_parts(model):
    sizes = {}
    for name, part in model.named_children():
        seen = {}
        for parameter in part.parameters():
            seen[id(parameter)] = parameter.numel()
        sizes[name] = sum(seen.values())
    return sizes

# %% wrong: rows-times-columns | The numbers are counted as first size times last size, which is right for a matrix only: the two are the same axis in a vector, so each bias or scale of n numbers counts n times n.
def size_of_parts(model):
    def numbers(parameter):
        return parameter.size(0) * parameter.size(-1)
    sizes, seen = {}, set()
    for name, part in model.named_children():
        fresh = [p for p in part.parameters() if id(p) not in seen]
        sizes[name] = sum(numbers(p) for p in fresh)
        seen.update(map(id, fresh))
    return sizes

# %% wrong: counted-for-the-last | An owner is noted for every parameter and overwritten by each later child that has it; so a shared matrix is counted for the last child that holds it instead of for the first.
def size_of_parts(model):
    owner, number = {}, {}
    for name, part in model.named_children():
        for parameter in part.parameters():
            owner[id(parameter)] = name
            number[id(parameter)] = parameter.nelement()
    sizes = {name: 0 for name, _ in model.named_children()}
    for mark, name in owner.items():
        sizes[name] += number[mark]
    return sizes

# %% right: difference-of-sets
def size_of_parts(model):
    counted, sizes = set(), {}
    for name, part in model.named_children():
        here = set(part.parameters())
        sizes[name] = sum(math.prod(parameter.shape) for parameter in here - counted)
        counted |= here
    return sizes
