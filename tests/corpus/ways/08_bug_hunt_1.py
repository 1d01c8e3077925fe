# %% right: parameters_in_the_set
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        new = [parameter for parameter in part.parameters() if parameter not in seen]
        sizes[name] = sum(parameter.numel() for parameter in new)
        seen.update(new)
    return sizes

# %% right: product_of_the_shape
def size_of_parts(model):
    """Count the parameters of each child of model, as {name: number}.

    A matrix that several children share counts once, for the first of them.
    """
    first_owner = {}
    sizes = {name: 0 for name, part in model.named_children()}
    for name, part in model.named_children():
        for parameter in part.parameters():
            if first_owner.setdefault(id(parameter), name) == name:
                sizes[name] += math.prod(parameter.shape)
    return sizes


# %% right: own_set_of_ids
def size_of_parts(model):
    done = set()
    result = {}
    for child, module in model.named_children():
        fresh = {id(p): p.numel() for p in module.parameters() if id(p) not in done}
        result[child] = sum(fresh.values())
        done |= fresh.keys()
    return result
# %% right: own_first_owner
def size_of_parts(model):
    children = list(model.named_children())
    totals = dict.fromkeys([name for name, _ in children], 0)
    owner = {}
    for name, child in children:
        for p in child.parameters():
            owner.setdefault(p, name)
    for p, name in owner.items():
        totals[name] += math.prod(p.shape)
    return totals


# %% right: tenth_own_set_of_ids_per_part
def size_of_parts(model):
    counted = set()
    result = {}
    for name, part in model.named_children():
        new = {id(p): p.numel() for p in part.parameters() if id(p) not in counted}
        result[name] = sum(new.values())
        counted |= new.keys()
    return result

# %% right: tenth_own_first_owner
def size_of_parts(model):
    result = {name: 0 for name, _ in model.named_children()}
    owner = {}
    for name, part in model.named_children():
        for p in part.parameters():
            owner.setdefault(p, name)
    for p, name in owner.items():
        result[name] += math.prod(p.shape)
    return result


# %% right: eleventh_own_first_owner
def size_of_parts(model):
    owner = {}
    for name, part in model.named_children():
        for p in part.parameters():
            owner.setdefault(p, name)
    sizes = {name: 0 for name, _ in model.named_children()}
    for p, name in owner.items():
        sizes[name] += p.numel()
    return sizes
# %% right: eleventh_own_fresh_list
def size_of_parts(model):
    counted, sizes = [], {}
    for name, part in model.named_children():
        fresh = [p for p in part.parameters() if not any(p is q for q in counted)]
        sizes[name] = sum(math.prod(p.shape) for p in fresh)
        counted.extend(fresh)
    return sizes


# %% right: twelfth_own_set_difference
def size_of_parts(model):
    sizes, known = {}, {}
    for name, part in model.named_children():
        fresh = {id(p): p.numel() for p in part.parameters() if id(p) not in known}
        sizes[name] = sum(fresh.values())
        known.update(fresh)
    return sizes
# %% right: twelfth_own_first_owner
def size_of_parts(model):
    owner = {}
    for name, part in model.named_children():
        for weights in part.parameters():
            owner.setdefault(weights, name)
    return {
        name: sum(math.prod(weights.shape) for weights, who in owner.items() if who == name)
        for name, _ in model.named_children()
    }
