# %% wrong: mean_over_everything | TRUE CAUSE: mean() without an axis: each entry becomes the single mean of all its numbers, a tensor without axes, instead of the mean over the checkpoints
def average_weights(states):
    """Average the state dicts of one model's late checkpoints, entry by entry (section 6.1).

    Returns a new dict of the same names; the states stay as they are.
    """
    averaged = {}
    for name in states[0]:
        entries = torch.stack([state[name] for state in states])  # (checkpoints, ...)
        averaged[name] = entries.mean()  # blank: mean
    return averaged


# %% wrong: adds_into_the_first_state | TRUE CAUSE: the average is made inside the first state dict (same dict, tensors changed in place), which should stay as it is
def average_weights(states):
    averaged = states[0]
    for state in states[1:]:
        for name in averaged:
            averaged[name] += state[name]
    for name in averaged:
        averaged[name] /= len(states)
    return averaged


# %% wrong: halved_again_and_again | TRUE CAUSE: each new checkpoint is averaged half and half with the mean so far, so the last one weighs 1/2 and the first ones hardly anything (right for two states only)
def average_weights(states):
    averaged = {name: entry.clone() for name, entry in states[0].items()}
    for state in states[1:]:
        for name in averaged:
            averaged[name] = (averaged[name] + state[name]) / 2
    return averaged
