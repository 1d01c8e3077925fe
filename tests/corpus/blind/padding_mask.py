# %% right: where, annotated
def padding_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    zero, one = torch.zeros_like(ids), torch.ones_like(ids)
    flags = torch.where(ids == pad_id, zero, one)
    return flags.to(torch.bool).unflatten(0, (-1, 1, 1))
# %% right: in place on its own tensor
def padding_mask(ids, pad_id):
    mask = torch.ones(ids.shape, dtype=torch.bool, device=ids.device)
    mask[ids == pad_id] = False
    return mask.unsqueeze_(1).unsqueeze_(2)
# %% wrong: truth of pad_id | pad_id = 0 is taken for "no padding"
def padding_mask(ids, pad_id):
    if not pad_id:
        return torch.ones_like(ids, dtype=torch.bool)[:, None, None]
    return (ids != pad_id)[:, None, None]
# %% wrong: reshaped to a batch of one | N is taken to be 1
def padding_mask(ids, pad_id):
    return (ids != pad_id).reshape(1, 1, 1, -1)
# %% wrong: view with N and T exchanged | the numbers stay, the sentences are cut at wrong places
def padding_mask(ids, pad_id):
    n, t = ids.shape
    return (ids != pad_id).t().reshape(n, 1, 1, t)
# %% wrong: off by one | the first padding token of each sentence is left visible
def padding_mask(ids, pad_id):
    real = ids != pad_id
    before = torch.cat([torch.ones_like(real[:, :1]), real[:, :-1]], dim=1)
    return (real | before)[:, None, None, :]
# %% wrong: first token never hidden | column 0 is taken for bos
def padding_mask(ids, pad_id):
    real = ids != pad_id
    real[:, 0] = True
    return real[:, None, None, :]
# %% wrong: cached by shape | a second batch of the same shape gets the mask of the first
_cache = {}
def padding_mask(ids, pad_id):
    if tuple(ids.shape) not in _cache:
        _cache[tuple(ids.shape)] = (ids != pad_id)[:, None, None, :]
    return _cache[tuple(ids.shape)]
# %% wrong: CPU only | the result is made on the CPU, wherever ids lie
def padding_mask(ids, pad_id):
    mask = torch.tensor((ids.cpu().numpy() != pad_id))
    return mask.view(ids.size(0), 1, 1, ids.size(1))
# %% wrong: not in front | "not" wants one truth value for the whole tensor
def padding_mask(ids, pad_id):
    real = not ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask
# %% wrong: squeezed at the end | the new axes vanish again
def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None, :].squeeze()
