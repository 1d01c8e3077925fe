# %% wrong: forward_pass_only | Only the padding is repaired. The 2 operations for each weight are those of the forward pass; a step of training also goes backward, which is twice as much, so it has to be 6.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = (ids != pad_id).sum().item()  # real ones only
    operations = 2 * weights * tokens  # each weight is multiplied and added
    return operations / seconds / peak
# %% wrong: padding_is_always_zero | The real tokens are counted with count_nonzero, as if padding always had the id 0; pad_id is not used. With another pad_id padding counts, and the token 0 does not.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids.count_nonzero().item()
    operations = 6 * weights * tokens
    return operations / seconds / peak
# %% wrong: own_backward_only | The factor is 2 * 2: "backward is twice as much" is taken as the cost of the whole step, and the 2 of the forward pass are not added to the 4 of the backward pass.
def utilization(weights, ids, pad_id, seconds, peak):
    real = ids.numel() - torch.sum(ids == pad_id).item()
    forward = 2 * weights * real
    training = 2 * forward  # twice as much, for the backward pass
    return training / (seconds * peak)
# %% wrong: own_longest_row_for_all | The real tokens are counted as rows times the longest real row. All shorter rows still count with their padding, up to the length of the longest.
def utilization(weights, ids, pad_id, seconds, peak):
    lengths = ids.ne(pad_id).sum(dim=1)  # (N,)
    tokens = ids.size(0) * lengths.max().item()
    per_token = (2 + 4) * weights  # forward and backward
    return tokens * per_token / seconds / peak
