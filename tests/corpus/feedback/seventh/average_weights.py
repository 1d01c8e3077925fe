# %% wrong: divided_by_number_of_names | TRUE CAUSE: the sum over the checkpoints is divided by len(states[0]), the number of entries in a state dict, not by the number of states
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.sum(dim=0) / len(states[0])
    return averaged


# %% wrong: sums_into_first_state | TRUE CAUSE: the dict is copied but not its tensors, and += and /= work in place, so the first state's own tensors become the average
def average_weights(states):
    averaged = dict(states[0])
    for state in states[1:]:
        for name, tensor in state.items():
            averaged[name] += tensor
    for name in averaged:
        averaged[name] /= len(states)
    return averaged


# %% wrong: average_of_average_and_next | TRUE CAUSE: each state is averaged with the average so far, half and half, so the last checkpoint weighs 1/2, the one before 1/4 and so on: no mean for more than two states
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1)."""
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        for name in averaged:
            averaged[name] = torch.stack([averaged[name], state[name]]).mean(dim=0)
    return averaged
