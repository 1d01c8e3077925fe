# %% wrong: first_checkpoint_left_out | TRUE CAUSE: takes "only late ones" to mean that the first of the states is not to be averaged, and stacks states[1:], although all given states are late ones already
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    late = states[1:] if len(states) > 1 else states
    for name in states[0]:
        entries = torch.stack([state[name] for state in late])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged

# %% wrong: divided_by_the_number_of_names | TRUE CAUSE: divides the sum over the checkpoints by len(states[0]), the number of names in a state dict, in place of len(states), the number of checkpoints
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.sum(0) / len(states[0])
    return averaged

# %% wrong: own_sum_grows_in_the_first_state | TRUE CAUSE: dict(states[0]) is a new dict of the same tensors, and += and /= work in place on them, so the average is right but the first state is overwritten with it
def average_weights(states):
    total = dict(states[0])
    for state in states[1:]:
        for key, value in state.items():
            total[key] += value
    for key in total:
        total[key] /= len(states)
    return total

# %% wrong: own_halfway_to_each_next_one | TRUE CAUSE: the running average goes halfway to each next state, (average + state) / 2, so with three or more states the later ones count more, where all have to count the same
def average_weights(states):
    def between(a, b):
        return {k: (a[k] + b[k]) / 2 for k in a}

    mean = {k: v.clone() for k, v in states[0].items()}
    for other in states[1:]:
        mean = between(mean, other)
    return mean
