# %% wrong: known-by-shape | The count was mended to numel, but a matrix is still known by its shape. Two different matrices of the same shape (as in any stack of layers) count only once; it has to be known by its identity, the Parameter object itself.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        total = 0
        for parameter in part.parameters():
            if parameter.shape in seen:
                continue
            seen.add(parameter.shape)
            total += parameter.numel()
        sizes[name] = total
    return sizes

# %% wrong: rows-counted | The shared matrix is recognized by its id now, but len(parameter) is only the size of the first axis, the number of rows. All numbers of the matrix have to be counted: numel().
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

# %% wrong: known-by-name | A parameter is known by its name inside its child. Different parameters of two children with the same name ("weight", "layers.0...") count once, and a matrix that is shared under two names counts twice: the identity of the Parameter decides, not the name.
def size_of_parts(model):
    sizes, counted = {}, []
    for child_name, child in model.named_children():
        new = {key: p.numel() for key, p in child.named_parameters() if key not in counted}
        counted.extend(new)
        sizes[child_name] = sum(new.values())
    return sizes

# %% wrong: memory-of-one-child | The set of what was seen is made anew for each child, so a matrix that several children share counts once in each of them. The set has to live through all children, so that it counts for the first one only.
def size_of_parts(model):
    def count(part):
        seen, total = set(), 0
        for parameter in part.parameters():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                total += parameter.numel()
        return total
    return {name: count(part) for name, part in model.named_children()}

# %% wrong: state-dict-sizes | Two mistakes. The entries of the state dict are counted, which hold buffers (such as the table of positions) beside the parameters; and nothing remembers what was counted, so a matrix that several children share counts for each of them.
def size_of_parts(model):
    sizes = {}
    for name, part in model.named_children():
        tensors = part.state_dict().values()
        sizes[name] = sum(tensor.nelement() for tensor in tensors)
    return sizes

# %% right: walk-of-the-whole-model
def size_of_parts(model):
    sizes = {name: 0 for name, _ in model.named_children()}
    for path, parameter in model.named_parameters():
        child, dot, _ = path.partition(".")
        if dot:
            sizes[child] += parameter.numel()
    return sizes

# %% right: list-of-known-objects
def size_of_parts(model):
    known, sizes = [], {}
    for name, part in model.named_children():
        new = [p for p in part.parameters() if not any(p is other for other in known)]
        known += new
        sizes[name] = sum(math.prod(p.shape) for p in new)
    return sizes
