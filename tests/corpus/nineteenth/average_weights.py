# %% wrong: always-the-first | The list takes states[0] for each of the states: the same checkpoint is stacked again and again, and the average is the first one.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([states[0][name] for state in states])
        averaged[name] = entries.mean(dim=0)
    return averaged

# %% wrong: joined-not-stacked | torch.cat lays the entries end to end instead of on an axis of their own; the mean over axis 0 then also runs over the rows of a matrix, and the shape is lost.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.cat([state[name] for state in states], dim=0)
        averaged[name] = entries.mean(dim=0)
    return averaged

# %% wrong: adds-into-the-first | In the manner of fairseq's average_checkpoints, but without its clone: the sum is formed in place in the tensors of the first state, which is changed by it. The states have to stay as they are.
def average_weights(states):
    num_models = len(states)
    params = dict(states[0])
    for state in states[1:]:
        for k, v in state.items():
            params[k] += v
    for k in params:
        params[k] = params[k] / num_models
    return params

# %% wrong: halved-each-time | The average so far and the next state are averaged with equal weight each time: the last checkpoint counts one half, the one before a quarter and so on, instead of all alike.
def average_weights(states):
    first, *others = states
    averaged = {name: entry.clone() for name, entry in first.items()}
    for state in others:
        averaged = {name: torch.lerp(entry, state[name], 0.5) for name, entry in averaged.items()}
    return averaged

# %% wrong: running-mean-from-zero | In the manner of torch.optim.swa_utils, avg + (new - avg) / (n + 1), but begun with zeros and n = 1: an average of nothing counts as one state more, and all entries are too small by n / (n + 1).
def average_weights(states):
    averaged = {name: torch.zeros_like(entry) for name, entry in states[0].items()}
    for num_averaged, state in enumerate(states, start=1):
        for name, entry in state.items():
            averaged[name] = averaged[name] + (entry - averaged[name]) / (num_averaged + 1)
    return averaged

# %% right: sum-and-divide
def average_weights(states):
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}

# %% right: running-mean
def average_weights(states):
    mean = {name: entry.detach().clone() for name, entry in states[0].items()}
    for count, state in enumerate(states[1:], start=2):
        for name in mean:
            mean[name] += (state[name] - mean[name]) / count
    return mean
