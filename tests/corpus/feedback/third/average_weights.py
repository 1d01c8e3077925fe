# %% wrong: mean_of_everything | TRUE CAUSE: the mean goes over all axes instead of the axis of the checkpoints, so each entry becomes a single number
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()  # blank: mean
    return averaged


# %% wrong: mean_over_last_axis | TRUE CAUSE: the mean goes over the last axis, that of the features, instead of the first one
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=-1)  # blank: mean
    return averaged


# %% wrong: only_the_last_five | TRUE CAUSE: only the last 5 states are averaged: took the paper's number for the function's task, although the states given are the late ones already
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states[-5:]])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)  # blank: mean
    return averaged


# %% wrong: running_half | TRUE CAUSE: each further state is averaged half and half with the mean so far, so the later ones count more
def average_weights(states):
    averaged = dict(states[0])
    for state in states[1:]:
        for name in averaged:
            averaged[name] = (averaged[name] + state[name]) / 2
    return averaged


# %% wrong: adds_into_the_first | TRUE CAUSE: the tensors of the first state are added to and divided in place (dict() copies the names only), so that state is changed
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1)."""
    averaged = dict(states[0])
    for state in states[1:]:
        for name, tensor in state.items():
            averaged[name] += tensor
    for name in averaged:
        averaged[name] /= len(states)
    return averaged


# %% wrong: first_twice_and_wrong_count | TRUE CAUSE: two mistakes: the first state is counted twice, as start and in the loop, and the sum is divided by the number of names instead of the number of states
def average_weights(states):
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states:
        for name in averaged:
            averaged[name] = averaged[name] + state[name]
    return {name: tensor / len(averaged) for name, tensor in averaged.items()}
