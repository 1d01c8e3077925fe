# %% wrong: stacked_last_averaged_first | TRUE CAUSE: The checkpoints are stacked along a new last axis but the mean is taken over axis 0, the first axis of the weight itself, so the rows of a matrix are averaged and the checkpoints stay side by side.
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states], dim=-1)  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged
# %% wrong: average_left_in_float64 | TRUE CAUSE: The entries are made float64 for the mean and never brought back, so float32 weights come out as float64.
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name].double() for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged
# %% wrong: own_halved_again_and_again | TRUE CAUSE: Each further checkpoint is averaged half and half with the average so far, which is the mean for two checkpoints only; with three or more the last one weighs a half, the one before a quarter, and so on.
def average_weights(states):
    average = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        average = {name: (average[name] + state[name]) / 2 for name in average}
    return average
# %% wrong: own_sum_in_a_shallow_copy | TRUE CAUSE: dict(states[0]) copies the names but not the tensors, so `+=` adds the other checkpoints into the first state's own tensors: the average is right, but states[0] holds the sums afterwards.
def average_weights(states):
    total = dict(states[0])
    for state in states[1:]:
        for name, tensor in state.items():
            total[name] += tensor
    return {name: tensor / len(states) for name, tensor in total.items()}
