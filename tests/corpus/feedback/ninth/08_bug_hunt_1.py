# %% wrong: mark_is_the_name | TRUE CAUSE: the mark is the parameter's name inside its child instead of the parameter's identity, so parameters of two children with equal names (layers.0..., 0.embedding.weight) count as shared, and tied ones with different names count twice
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
# %% wrong: first_times_last_size | TRUE CAUSE: the count is mended as shape[0] * shape[-1] instead of numel(), so a vector of n numbers, for which both are the same axis, counts n * n
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
# %% wrong: own_counts_for_the_last_owner | TRUE CAUSE: the dictionary of owners is overwritten each time a parameter comes up again, so a shared matrix is counted for the last child that has it instead of the first
def size_of_parts(model):
    owner, count = {}, {}
    for name, part in model.named_children():
        for p in part.parameters():
            owner[id(p)] = name
            count[id(p)] = p.numel()
    return {
        name: sum(count[key] for key in owner if owner[key] == name)
        for name, _ in model.named_children()
    }
# %% wrong: own_compares_the_numbers | TRUE CAUSE: two parameters are taken for the same one when torch.equal finds equal numbers in them, instead of when they are the same object, so separate parameters with equal values (the ones and zeros of the norms, copied weights) count only once
def size_of_parts(model):
    def known(p, others):
        return any(torch.equal(p, q) for q in others)

    sizes, counted = {}, []
    for name, part in model.named_children():
        n = 0
        for p in part.parameters():
            if not known(p, counted):
                counted.append(p)
                n += p.numel()
        sizes[name] = n
    return sizes
