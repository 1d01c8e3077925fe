# %% wrong: mean_of_everything | TRUE CAUSE: mean() without an axis: every entry becomes one number, the mean over checkpoints and over all places of the tensor
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()  # blank: mean
    return averaged

# %% wrong: sum_not_mean | TRUE CAUSE: the entries are added up, never divided by the number of checkpoints
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.sum(dim=0)  # blank: mean
    return averaged

# %% wrong: first_state_again | TRUE CAUSE: stacks the first checkpoint's entry once for each checkpoint (states[0], not state): the average is the first checkpoint
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([states[0][name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean(dim=0)  # blank: mean
    return averaged

# %% wrong: adds_into_first_state | TRUE CAUSE: the sum starts with the first state's own tensors and adds in place, so the first state is overwritten by the average
def average_weights(states):
    averaged = {}
    for name in states[0]:
        total = states[0][name]
        for state in states[1:]:
            total += state[name]
        total /= len(states)
        averaged[name] = total
    return averaged

# %% wrong: running_halves | TRUE CAUSE: averages pairwise as it goes, (average + next) / 2, so that with more than two checkpoints the last one weighs half and the first ones hardly anything
def average_weights(states):
    averaged = {name: entry.clone() for name, entry in states[0].items()}
    for state in states[1:]:
        for name in averaged:
            averaged[name] = (averaged[name] + state[name]) / 2
    return averaged
