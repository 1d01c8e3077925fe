# %% wrong: own_lists_on_the_cpu | The mask is made from Python lists by torch.tensor without a device: it is on the CPU even where ids are on another device.
def padding_mask(ids, pad_id):
    rows = []
    for sentence in ids.tolist():
        rows.append([[[token != pad_id for token in sentence]]])
    return torch.tensor(rows, dtype=torch.bool)
# %% wrong: zero_is_padding_too | believes that id 0 is padding whatever pad_id says, so `real` also excludes 0 and a real token with id 0 is hidden when pad_id is another number
def padding_mask(ids, pad_id):
    real = (ids != pad_id) & (ids != 0)  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask
# %% wrong: axis_in_front | the first unsqueeze puts its axis at place 0 instead of 1, so the mask is (1, N, 1, T) and the sentences lie on the axis of the heads
def padding_mask(ids, pad_id):
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(0).unsqueeze(2)  # (N, 1, 1, T)
    return mask

# %% wrong: through-lists | Builds the mask from Python lists with torch.tensor, so it always lies on the CPU; it has to be on the device of ids.
def padding_mask(ids, pad_id):
    real = torch.tensor([[token != pad_id for token in row] for row in ids.tolist()])
    return real.unsqueeze(1).unsqueeze(2)
