# %% wrong: mark_of_name_and_shape | Parameters are told apart by their name within the part and their shape. Encoder and decoder have parameters of the same name and shape that are not shared, and a shared matrix has other names in other parts; only the object itself tells.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for inner, parameter in part.named_parameters():
            mark = (inner, parameter.shape)
            if mark not in seen:
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes
# %% wrong: rows_times_last_axis | The numbers of a parameter are counted as len(parameter) * parameter.size(-1). That is right for matrices only: a vector of n numbers is counted as n * n.
def size_of_parts(model):
    sizes, seen = {}, set()
    for name, part in model.named_children():
        sizes[name] = 0
        for parameter in part.parameters():
            mark = id(parameter)
            if mark not in seen:
                sizes[name] += len(parameter) * parameter.size(-1)
            seen.add(mark)
    return sizes
# %% wrong: own_equal_numbers_count_as_shared | Two parameters count as shared if they hold equal numbers (torch.equal). Different parameters may hold the same numbers, as the gammas (all 1) and betas (all 0) of the norms do at the start, and then all but one are left out.
def size_of_parts(model):
    counted, sizes = [], {}
    for name, part in model.named_children():
        number = 0
        for weights in part.parameters():
            known = any(torch.equal(weights, other) for other in counted)
            if not known:
                number += weights.numel()
                counted.append(weights)
        sizes[name] = number
    return sizes
# %% wrong: own_new_set_for_each_child | The set of what was counted is made anew for each child. A matrix that several children share is then counted in each of them and not for the first one only.
def size_of_parts(model):
    def size(part):
        seen, number = set(), 0
        for parameter in part.parameters():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                number += parameter.numel()
        return number
    return {name: size(part) for name, part in model.named_children()}
