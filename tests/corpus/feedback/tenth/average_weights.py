# %% wrong: mean_of_everything | TRUE CAUSE: The blank `mean` is `entries.mean()` without dim=0, so each entry becomes one number, the mean over all checkpoints and all its elements, and loses its shape.
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()
    return averaged

# %% wrong: divides_by_the_number_of_names | TRUE CAUSE: The sum over the checkpoints is divided by `len(states[0])`, the number of names in a state dict, and not by the number of states, so the average is off by a factor.
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.sum(dim=0) / len(states[0])
    return averaged

# %% wrong: own_halves_with_each_state | TRUE CAUSE: The running average is (average + next) / 2 for every state, which weights the last checkpoint with 1/2, the one before with 1/4 and so on; it is the mean for two states only.
def average_weights(states):
    from functools import reduce

    def merge(mean, state):
        return {name: (mean[name] + state[name]) / 2 for name in mean}

    first = {name: tensor.clone() for name, tensor in states[0].items()}
    return reduce(merge, states[1:], first)

# %% wrong: own_sums_into_the_first_state | TRUE CAUSE: `dict(states[0])` copies the names but not the tensors, and `+=` adds the other checkpoints into them in place, so the first state is changed (it holds the sum afterwards), although the average returned is right.
def average_weights(states):
    total = dict(states[0])
    for state in states[1:]:
        for key, value in state.items():
            total[key] += value
    return {key: value / len(states) for key, value in total.items()}
