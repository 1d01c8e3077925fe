# %% right: thirteenth_own_compared_with_is
def size_of_parts(model):
    counted = []
    def is_new(parameter):
        if any(parameter is other for other in counted):
            return False
        counted.append(parameter)
        return True
    sizes = {}
    for name, part in model.named_children():
        sizes[name] = sum(math.prod(one.shape) for one in part.parameters() if is_new(one))
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
