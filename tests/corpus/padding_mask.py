# %% right: skeleton filled
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% right: indexing with None
def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None, :]

# %% right: ne and view
def padding_mask(ids, pad_id):
    n, t = ids.shape
    return torch.ne(ids, pad_id).view(n, 1, 1, t)

# %% right: not equal, negated
def padding_mask(ids, pad_id):
    is_padding = ids.eq(pad_id)
    return is_padding.logical_not().unsqueeze(-2).unsqueeze(-2)

# %% right: start from all True
def padding_mask(ids, pad_id):
    real = torch.ones_like(ids, dtype=torch.bool)
    real = real.masked_fill(ids == pad_id, False)
    return real.reshape(real.size(0), 1, 1, -1)

# %% right: in place on its own tensor
def padding_mask(ids, pad_id):
    mask = torch.ones(ids.shape, dtype=torch.bool, device=ids.device)
    mask[ids == pad_id] = False
    return mask.unsqueeze_(1).unsqueeze_(2)

# %% right: difference as truth value
def padding_mask(ids, pad_id):
    difference = ids - pad_id
    return difference.bool()[:, None, None]

# %% right: lists
def padding_mask(ids, pad_id):
    rows = [[[[token != pad_id for token in row]]] for row in ids.tolist()]
    return torch.tensor(rows, dtype=torch.bool, device=ids.device)

# %% right: where, annotated
def padding_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    zero, one = torch.zeros_like(ids), torch.ones_like(ids)
    flags = torch.where(ids == pad_id, zero, one)
    return flags.to(torch.bool).unflatten(0, (-1, 1, 1))

# %% right: smaller or larger
def padding_mask(ids, pad_id):
    real = (ids < pad_id) | (ids > pad_id)
    return real.unsqueeze(1).unsqueeze(2)

# %% right: sentence by sentence
def padding_mask(ids, pad_id):
    return torch.stack([(sentence != pad_id)[None, None] for sentence in ids.unbind(0)])

# %% wrong: turned around | True at the padding
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: zero hard-coded | pad_id is ignored
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != 0  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: larger than | ids have no order, and some may be smaller than pad_id
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids > pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask

# %% wrong: bool of the ids | an id of 0 may be a word, and padding may be another number
def padding_mask(ids, pad_id):
    return ids.bool()[:, None, None, :]

# %% wrong: truth of pad_id | pad_id = 0 is taken for "no padding"
def padding_mask(ids, pad_id):
    if not pad_id:
        return torch.ones_like(ids, dtype=torch.bool)[:, None, None]
    return (ids != pad_id)[:, None, None]

# %% wrong: one axis only | the result is (N, 1, T)
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: axes at the end | (N, T, 1, 1): the tokens stand where the heads are
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(-1).unsqueeze(-1)  # (N, 1, 1, T)
    return mask

# %% wrong: axes in front | (1, 1, N, T): the sentences stand where the queries are
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(0).unsqueeze(0)  # (N, 1, 1, T)
    return mask

# %% wrong: queries hidden | (N, 1, T, 1) hides rows instead of columns
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(-1)  # (N, 1, 1, T)
    return mask

# %% wrong: full table | rows of padding are hidden too, (N, 1, T, T)
def padding_mask(ids, pad_id):
    real = ids != pad_id
    return (real.unsqueeze(1) & real.unsqueeze(2)).unsqueeze(1)

# %% wrong: reshaped to a batch of one | N is taken to be 1
def padding_mask(ids, pad_id):
    return (ids != pad_id).reshape(1, 1, 1, -1)

# %% wrong: view with N and T exchanged | the numbers stay, the sentences are cut at wrong places
def padding_mask(ids, pad_id):
    n, t = ids.shape
    return (ids != pad_id).t().reshape(n, 1, 1, t)

# %% wrong: floats | ones and zeros instead of booleans
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = (ids != pad_id).float()  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: additive | minus infinity at the padding, 0 elsewhere
def padding_mask(ids, pad_id):
    bias = torch.zeros(ids.shape, device=ids.device).masked_fill(ids == pad_id, float("-inf"))
    return bias[:, None, None, :]

# %% wrong: integers | long ones and zeros
def padding_mask(ids, pad_id):
    return torch.where(ids == pad_id, 0, 1)[:, None, None, :]

# %% wrong: right padding assumed | counts the real tokens and takes the first ones
def padding_mask(ids, pad_id):
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)
    real = torch.arange(ids.size(1), device=ids.device) < lengths
    return real[:, None, None, :]

# %% wrong: everything after the first padding | a real token after padding is hidden
def padding_mask(ids, pad_id):
    seen_padding = (ids == pad_id).cumsum(dim=1) > 0
    return ~seen_padding[:, None, None, :]

# %% wrong: up to the last real token | padding in front or in between stays visible
def padding_mask(ids, pad_id):
    real = (ids != pad_id).flip(1).cumsum(1).flip(1) > 0
    return real.unsqueeze(1).unsqueeze(1)

# %% wrong: off by one | the first padding token of each sentence is left visible
def padding_mask(ids, pad_id):
    real = ids != pad_id
    before = torch.cat([torch.ones_like(real[:, :1]), real[:, :-1]], dim=1)
    return (real | before)[:, None, None, :]

# %% wrong: first sentence for all | the padding of ids[0] is taken for the whole batch
def padding_mask(ids, pad_id):
    real = (ids[0] != pad_id).expand_as(ids)
    return real[:, None, None, :]

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

# %% wrong: ids changed | the caller's padding is overwritten
def padding_mask(ids, pad_id):
    real = ids.sub_(pad_id).bool()
    return real.unsqueeze(1).unsqueeze(1)

# %% wrong: view of the ids unsqueezed in place | unsqueeze_ gives the caller's ids two more axes
def padding_mask(ids, pad_id):
    ids.unsqueeze_(1).unsqueeze_(1)
    return ids != pad_id

# %% wrong: is not | compares identities, a plain True has no axes
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids is not pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: not in front | "not" wants one truth value for the whole tensor
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = not ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: squeezed at the end | the new axes vanish again
def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None, :].squeeze()

# %% wrong: repeated for all queries | (N, 1, T, T) instead of (N, 1, 1, T)
def padding_mask(ids, pad_id):
    real = ids != pad_id
    return real[:, None, None, :].repeat(1, 1, ids.size(1), 1)
