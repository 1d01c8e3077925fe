# %% wrong: first_state_again_and_again | The comprehension runs over the states but reads from states[0] each time, so the "average" is that of equal tensors: the first checkpoint's weights.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([states[0][name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged
# %% wrong: mean_over_everything | The mean is taken over all axes, and not over the checkpoints alone (dim=0). Each matrix becomes a single number.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()
    return averaged
# %% wrong: own_adds_into_the_first_state | dict(states[0]) is a new dict of the same tensors. The in-place additions and the division change the tensors of the first state, which has to stay as it is.
def average_weights(states):
    averaged = dict(states[0])
    with torch.no_grad():
        for state in states[1:]:
            for name, tensor in averaged.items():
                tensor += state[name]
        for tensor in averaged.values():
            tensor /= len(states)
    return averaged
# %% wrong: own_halves_at_each_state | A running average is halved with each new state: (averaged + new) / 2. With more than two states the last one then weighs a half, the one before a quarter, and so on, instead of all the same.
def average_weights(states):
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        averaged = {name: (tensor + state[name]) / 2 for name, tensor in averaged.items()}
    return averaged
