# %% wrong: exponential-average | An exponential moving average with a fixed decay is returned, which hardly leaves the first checkpoint; the paper takes the plain mean of its last checkpoints.
def average_weights(states):
    decay = 0.9
    shadow = {name: tensor.detach().clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        for name in shadow:
            shadow[name].mul_(decay).add_(state[name], alpha=1 - decay)
    return shadow

# %% wrong: fairseq-floor | The sum is divided by whole-number division, which is made for entries that count; all entries here are floating-point numbers, and they are rounded down to whole ones.
def average_weights(states):
    num_models = len(states)
    params_dict = {}
    for state in states:
        for k, p in state.items():
            params_dict[k] = params_dict[k] + p if k in params_dict else p.clone()
    for k in params_dict:
        params_dict[k] = params_dict[k].div(num_models, rounding_mode="floor")
    return params_dict

# %% wrong: first-returned-and-weights-only | Two mistakes. A single state is handed back as it is, with its own tensors, though the average should be a new dict of new tensors; and of several, only entries whose name ends in weight are averaged, so biases are missing.
def average_weights(states):
    if len(states) == 1:
        return states[0]
    return {
        name: sum(state[name] for state in states) / len(states)
        for name in states[0]
        if name.endswith("weight")
    }

# %% wrong: divides-by-five | The sum is divided by 5, the number of checkpoints of the paper's base model, instead of by how many there are.
def average_weights(states):
    total = {}
    for state in states[-5:]:
        for name, tensor in state.items():
            total[name] = total.get(name, 0) + tensor / 5
    return total

# %% right: running-mean
def average_weights(states):
    averaged = {}
    for count, state in enumerate(states, 1):
        for name, tensor in state.items():
            if count == 1:
                averaged[name] = tensor.detach().clone()
            else:
                averaged[name].lerp_(tensor.detach(), 1 / count)
    return averaged

# %% right: annotated-sum
def average_weights(states):
    return {
        name: torch.sum(torch.stack([state[name] for state in states]), dim=0) / len(states)
        for name in states[0].keys()
    }
