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
                sizes[name] += parameter.numel()
            seen.add(mark)
    return sizes
