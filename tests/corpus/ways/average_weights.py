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
# %% right: field_params_dict_accumulated
import collections
def average_weights(states):
    params_dict = collections.OrderedDict()
    num_models = len(states)
    for state in states:
        for k in state:
            p = state[k]
            if k not in params_dict:
                params_dict[k] = p.clone()
            else:
                params_dict[k] += p
    averaged_params = collections.OrderedDict()
    for k, v in params_dict.items():
        averaged_params[k] = v
        if averaged_params[k].is_floating_point():
            averaged_params[k].div_(num_models)
        else:
            averaged_params[k] //= num_models
    return averaged_params
# %% right: field_running_mean_of_models
def average_weights(states):
    avg = {k: v.detach().clone() for k, v in states[0].items()}
    for n, state in enumerate(states[1:], start=1):
        for k, v in avg.items():
            v.mul_(n).add_(state[k]).div_(n + 1)
    return avg
# %% right: field_ema_form_of_the_equal_mean
def average_weights(states):
    averaged = {name: tensor.clone() for name, tensor in states[0].items()}
    for num_averaged, state in enumerate(states[1:], start=1):
        for name, p_swa in averaged.items():
            p_swa.add_((state[name] - p_swa) / (num_averaged + 1))
    return averaged
