# %% wrong: mean-over-everything | mean() without an axis averages all numbers of an entry, too, and leaves one number for each name; only the axis of the checkpoints may be averaged.
def average_weights(states):
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])
        averaged[name] = entries.mean()
    return averaged

# %% wrong: fairseq-adds-into-the-first | The sum is built in the tensors of the first state itself, which were never cloned; so the first checkpoint is overwritten, though the states must stay as they are.
def average_weights(states):
    params_dict = {}
    num_models = len(states)
    for state in states:
        for k, p in state.items():
            if k not in params_dict:
                params_dict[k] = p
            else:
                params_dict[k] += p
    for v in params_dict.values():
        v.div_(num_models)
    return params_dict

# %% wrong: halving-again-and-again | Each state is averaged with the average so far at equal shares; so the last one counts one half, the one before a quarter and so on, instead of each the same.
def average_weights(states):
    from functools import reduce
    def between(so_far, state):
        return {name: (so_far[name] + state[name]) / 2 for name in so_far}
    first = {name: tensor.clone() for name, tensor in states[0].items()}
    return reduce(between, states[1:], first)

# %% wrong: only-the-last-five | Only the last five states are averaged, because the paper's base model averages five; the function has to average all states that it is given.
def average_weights(states):
    late = states[-5:]
    return {
        name: torch.stack([state[name] for state in late], dim=-1).mean(dim=-1)
        for name in late[-1]
    }

# %% wrong: swa-counts-one-too-few | The running mean moves by 1/k towards the k-th further state, with the first state not counted; so the second state replaces the first altogether, which has no share in the average.
def average_weights(states):
    avg = {name: entry.detach().clone() for name, entry in states[0].items()}
    for n_averaged, state in enumerate(states[1:], start=1):
        for name, entry in state.items():
            avg[name] += (entry - avg[name]) / n_averaged
    return avg

# %% right: share-by-share
def average_weights(states):
    share = 1 / len(states)
    averaged = {name: torch.zeros_like(tensor) for name, tensor in states[0].items()}
    for state in states:
        for name, total in averaged.items():
            total.add_(state[name], alpha=share)
    return averaged
