# %% wrong: still-len | the mark is now the parameter's identity, but len(parameter) is still counted, the number of rows and not of numbers.
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

# %% wrong: searched-in-a-list | the parameters seen are kept in a list and searched with `in`, which compares tensors number by number: it crashes (a tensor of several values has no truth value, or the shapes do not fit).
def size_of_parts(model):
    sizes, seen = {}, []
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            if parameter not in seen:
                sizes[name] += parameter.numel()
                seen.append(parameter)
    return sizes

# %% wrong: seen-starts-anew | the set of parameters seen is emptied for each child: a matrix that two children share is counted for both.
def size_of_parts(model):
    sizes = {}
    for name, part in model.named_children():
        seen = set()
        sizes[name] = 0
        for parameter in part.parameters():
            mark = id(parameter)
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% wrong: recognized-by-its-numbers | a parameter is recognized by its values: two different ones with equal numbers (biases of zeros, scales of ones) are taken for one and counted once.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = tuple(parameter.flatten().tolist())
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes

# %% right: set-of-parameters
def size_of_parts(model):
    seen, sizes = set(), {}
    for name, part in model.named_children():
        new = set(part.parameters()) - seen
        sizes[name] = sum(p.numel() for p in new)
        seen |= new
    return sizes
