# %% wrong: first_size_times_last | TRUE CAUSE: The number of entries is taken as shape[0] * shape[-1], which squares the length of every vector (biases, norm scales) instead of using numel().
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

# %% wrong: mark_is_the_inner_name | TRUE CAUSE: The mark is the parameter's name inside its part, so different parameters that have the same name in two parts (encoder and decoder layers) count once, and a shared one under two names counts twice.
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

# %% wrong: own_last_owner_counts | TRUE CAUSE: The dict owner is overwritten by every later child, so a shared matrix is counted for the last child that holds it instead of the first.
def size_of_parts(model):
    owner, numbers = {}, {}
    for child, part in model.named_children():
        for p in part.parameters():
            owner[id(p)] = child
            numbers[id(p)] = p.numel()
    result = {child: 0 for child, _ in model.named_children()}
    for key, child in owner.items():
        result[child] += numbers[key]
    return result

# %% wrong: own_equal_values_are_shared | TRUE CAUSE: Two parameters are taken as shared when their values are equal (torch.equal) instead of when they are the same object, so equal vectors such as norm scales of ones or biases of zeros count only once.
def size_of_parts(model):
    def known(p, others):
        return any(p.shape == q.shape and torch.equal(p, q) for q in others)

    result, already = {}, []
    for name, part in model.named_children():
        n = 0
        for p in part.parameters():
            if known(p, already):
                continue
            already.append(p)
            n += p.numel()
        result[name] = n
    return result
