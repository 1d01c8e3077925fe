# %% wrong: first-state-changed | The new dict is a shallow copy of the first state, and += adds into the tensors that it shares with it: the first checkpoint's tensors are changed in place.
def average_weights(states):
    averaged = states[0].copy()
    for name in averaged:
        for state in states[1:]:
            averaged[name] += state[name]
        averaged[name] = averaged[name] / len(states)
    return averaged

# %% wrong: half-and-half | Averages the running result with each next state, (a + b) / 2: with more than two states the last one counts half, the one before a quarter, and so on, instead of all alike.
def average_weights(states):
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        for name in averaged:
            averaged[name] = (averaged[name] + state[name]) / 2
    return averaged

# %% wrong: mean-over-everything | mean() without dim=0: each entry becomes one number, the mean of all of its values in all checkpoints, instead of a tensor of its shape.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])
        averaged[name] = entries.mean()
    return averaged

# %% wrong: divided-by-number-of-names | The sum is divided by the length of a state dict, which is the number of its names, and not by the number of states.
def average_weights(states):
    from collections import OrderedDict
    params_dict = OrderedDict()
    num_models = len(states[0])
    for state in states:
        for k, p in state.items():
            if k not in params_dict:
                params_dict[k] = p.clone()
            else:
                params_dict[k] += p
    for k, v in params_dict.items():
        params_dict[k] = torch.div(v, num_models)
    return dict(params_dict)

# %% right: sum-of-each
def average_weights(states):
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}
