# %% wrong: stacked_last_averaged_first | The checkpoints are stacked along a new last axis but the mean is taken over axis 0, the first axis of the weight itself, so the rows of a matrix are averaged and the checkpoints stay side by side.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states], dim=-1)  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged
# %% wrong: average_left_in_float64 | The entries are made float64 for the mean and never brought back, so float32 weights come out as float64.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name].double() for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged
