# %% wrong: mean_of_everything | TRUE CAUSE: mean() is called without an axis, so each entry becomes a single number instead of a tensor of its shape.
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()
    return averaged

# %% wrong: divided_by_five | TRUE CAUSE: The sum is divided by 5, the paper's number of checkpoints, whatever the number of states.
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack(tuple(map(lambda state: state[name], states)))  # (checkpoints, ...)
        averaged[name] = entries.sum(dim=0).div(5)
    return averaged

# %% wrong: first_state_summed_into | TRUE CAUSE: The sum is added in place to the tensors of the first state (dict() copies only the names), so that state is changed.
def average_weights(states):
    averaged = dict(states[0])
    for state in states[1:]:
        for name, tensor in state.items():
            averaged[name].add_(tensor)
    for name in averaged:
        averaged[name].div_(len(states))
    return averaged

# %% wrong: running_halves | TRUE CAUSE: Each state is averaged half and half with what there is so far, so the last state weighs a half and the earlier ones less and less.
def average_weights(states):
    """Running average of the checkpoints."""
    average = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        average = {name: (average[name] + state[name]) / 2 for name in average}
    return average
