# %% wrong: divided_by_number_of_names | TRUE CAUSE: the sum over the checkpoints is divided by len(states[0]), the number of entries in one state dict, instead of len(states), the number of checkpoints
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.sum(dim=0) / len(states[0])
    return averaged

# %% wrong: only_the_later_half | TRUE CAUSE: "only late ones" is misread as a choice that the function has to make: it averages just the later half of states, although all the states given are late checkpoints and all belong in the mean
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states[len(states) // 2 :]])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged

# %% wrong: own_shallow_copy | TRUE CAUSE: dict(states[0]) copies the dict but not its tensors, and += and /= work in place on them, so the first state is overwritten by the average
def average_weights(states):
    result = dict(states[0])
    for state in states[1:]:
        for name, tensor in state.items():
            result[name] += tensor
    for name in result:
        result[name] /= len(states)
    return result

# %% wrong: own_running_mean_off_by_one | TRUE CAUSE: the running mean moves by 1/count with count starting at 1 for the second state, where it should be 1/2, so the first state is replaced by the second and forgotten, and the mean covers only states[1:]
def average_weights(states):
    first, *others = states
    mean = {name: tensor.clone() for name, tensor in first.items()}
    for count, state in enumerate(others, start=1):
        mean = {name: old + (state[name] - old) / count for name, old in mean.items()}
    return mean
