# %% wrong: fairseq-without-clone | The sum is built up in place in the tensors of the first state: the dict is copied, its tensors are not. The average comes out right, but the first state is changed; the states have to stay as they are, and the average has to be of new tensors.
def average_weights(states):
    params_dict = None
    for state in states:
        if params_dict is None:
            params_dict = dict(state)
            continue
        for k in params_dict:
            params_dict[k] += state[k]
    for k in params_dict:
        params_dict[k].div_(len(states))
    return params_dict

# %% wrong: mean-of-everything | The mean is taken over all axes and not over the checkpoints alone, so each entry becomes one number instead of a tensor of its shape: dim=0 is missing.
def average_weights(states):
    return {
        name: torch.stack([state[name] for state in states]).mean() for name in states[0]
    }

# %% wrong: running-mean-counts-late | A running mean moves toward each next checkpoint by 1/count, but count is the number of those before it: with the second it moves by 1/1, so the first checkpoint is lost and all later ones weigh too much. It has to be 1/(count + 1).
def average_weights(states):
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for n_averaged, state in enumerate(states[1:], start=1):
        for name, tensor in averaged.items():
            averaged[name] = tensor + (state[name] - tensor) / n_averaged
    return averaged

# %% wrong: always-the-last-five | Only the last five states are averaged, as the paper's base model does. Which checkpoints are late is for the caller to say: the function has to average all that it is given (five or fewer come out right).
def average_weights(states):
    late = states[-5:]
    averaged = {}
    for name in late[0]:
        entries = torch.stack([state[name] for state in late])
        averaged[name] = entries.mean(dim=0)
    return averaged

# %% wrong: biases-of-the-last | Only matrices are averaged; vectors (biases, the scales of the norms) are copied from the last state. Every entry has to be averaged.
def average_weights(states):
    averaged = {}
    for name, newest in states[-1].items():
        if newest.dim() > 1:
            averaged[name] = sum(state[name] for state in states) / len(states)
        else:
            averaged[name] = newest.clone()
    return averaged

# %% right: plain-sum
def average_weights(states):
    share = 1.0 / len(states)
    return {name: sum(state[name] * share for state in states) for name in states[0].keys()}

# %% right: running-lerp
def average_weights(states):
    first, *others = states
    averaged = {name: tensor.detach().clone() for name, tensor in first.items()}
    for seen, state in enumerate(others, start=2):
        for name in averaged:
            averaged[name].lerp_(state[name], 1 / seen)
    return averaged
