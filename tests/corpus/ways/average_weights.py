# %% right: fourteenth_own_sum_into_new_tensors
def average_weights(states):
    def mean(tensors):
        total = torch.zeros_like(tensors[0], dtype=torch.float64)
        for tensor in tensors:
            total += tensor.detach().to(total.dtype)
        return (total / len(tensors)).to(tensors[0].dtype)
    return {name: mean([state[name] for state in states]) for name in states[0].keys()}
# %% right: own_sum_over_count
def average_weights(states):
    count = len(states)
    return {name: sum(state[name] for state in states) / count for name in states[0]}
