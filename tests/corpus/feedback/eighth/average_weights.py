# %% wrong: mean_over_everything | TRUE CAUSE: mean() without dim=0 averages over the entries of the weight as well, so each weight becomes a single number
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()  # blank: mean
    return averaged


# %% wrong: adds_into_first_state | TRUE CAUSE: dict(states[0]) copies the dict but not its tensors, so += and /= change the first checkpoint in place
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1)."""
    averaged = dict(states[0])
    for name in averaged:
        for state in states[1:]:
            averaged[name] += state[name]
        averaged[name] /= len(states)
    return averaged


# %% wrong: halves_again_and_again | TRUE CAUSE: averages the running mean with each next checkpoint half and half, so that later checkpoints weigh more (only right for two)
def average_weights(states):
    averaged = {}
    for name in states[0]:
        mean = states[0][name].clone()
        for state in states[1:]:
            mean = (mean + state[name]) / 2
        averaged[name] = mean
    return averaged
