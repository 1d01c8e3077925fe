# %% wrong: one_number | TRUE CAUSE: mean is taken without an axis, over all numbers of all checkpoints, so each entry becomes a single number
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()
    return averaged

# %% wrong: generator | TRUE CAUSE: torch.stack gets a generator instead of a list or tuple, so it raises a TypeError
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack(state[name] for state in states)  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
    return averaged

# %% wrong: halves | TRUE CAUSE: each state is averaged with the mean so far at equal parts, so later checkpoints weigh more (exact only for one or two)
def average_weights(states):
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        for name, tensor in state.items():
            averaged[name] = (averaged[name] + tensor) / 2
    return averaged

# %% wrong: into_the_first | TRUE CAUSE: the sums are made in place in the tensors of the first state, which is changed by it
def average_weights(states):
    first, *others = states
    averaged = dict(first)
    with torch.no_grad():
        for name, tensor in averaged.items():
            for other in others:
                tensor += other[name]
            tensor /= len(states)
    return averaged

# %% wrong: papers_five | TRUE CAUSE: the sum is divided by the paper's 5 instead of by the number of states
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack(tuple(map(lambda state: state[name], states)))  # (checkpoints, ...)
        averaged[name] = entries.sum(dim=0) / 5
    return averaged

# %% wrong: early_return | TRUE CAUSE: the return stands inside the loop, so only the first name is averaged
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)
        return averaged

# %% wrong: weights_only | TRUE CAUSE: only entries whose name ends in "weight" are averaged, all others (biases, gamma, beta) are taken from the last state
def average_weights(states):
    n = len(states)
    result = {}
    for key, last in states[-1].items():
        if key.endswith("weight"):
            result[key] = sum(s[key] for s in states) / n
        else:
            result[key] = last.clone()
    return result

# %% wrong: without_the_first | TRUE CAUSE: two mistakes: the first state is left out of the stack; and the sum is divided by the number of all states, so everything is too small as well
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([states[i][name] for i in range(1, len(states))])  # (checkpoints, ...)
        averaged[name] = entries.sum(0).div(len(states))
    return averaged
