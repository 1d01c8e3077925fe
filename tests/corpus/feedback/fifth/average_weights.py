# %% wrong: keepdim_left_on | TRUE CAUSE: the mean keeps the axis of the checkpoints (keepdim=True), so every entry has an additional first axis of size 1
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0, keepdim=True)  # blank: mean
    return averaged

# %% wrong: later_half_only | TRUE CAUSE: 'only late ones' is applied once more: the first half of the given states is left out of the mean, although states are the late checkpoints already
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states[len(states) // 2 :]])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)  # blank: mean
    return averaged

# %% wrong: running_half | TRUE CAUSE: a running mean that halves at every state, (average + state) / 2, so the last checkpoint counts half and the first ones hardly at all (with more than two states)
def average_weights(states):
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for state in states[1:]:
        for name in averaged:
            averaged[name] = (averaged[name] + state[name]) / 2
    return averaged

# %% wrong: first_state_summed_into | TRUE CAUSE: the dict is copied but its tensors are not, and += and /= work in place: the average is right, but the first state's tensors are overwritten by it
def average_weights(states):
    averaged = dict(states[0])  # a new dict
    for name in averaged:
        for state in states[1:]:
            averaged[name] += state[name]
        averaged[name] /= len(states)
    return averaged

