# %% right: a small class with a property
class _TargetMask:
    def __init__(self, ids, pad_id):
        self.ids, self.pad_id = ids, pad_id
    @property
    def visible(self):
        return padding_mask(self.ids, self.pad_id)
    @property
    def past(self):
        return causal_mask(self.ids.size(-1), self.ids.device)
    def __call__(self):
        return self.visible & self.past
def target_mask(ids, pad_id):
    return _TargetMask(ids, pad_id)()
# %% right: lists of lists
def target_mask(ids, pad_id):
    rows = ids.tolist()
    length = ids.size(1)
    table = [[[[k <= q and row[k] != pad_id for k in range(length)] for q in range(length)]] for row in rows]
    return torch.tensor(table, dtype=torch.bool, device=ids.device)
# %% right: type annotations and checks
def target_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    if ids.dim() != 2:
        raise ValueError(f"ids must be (N, T), not {tuple(ids.shape)}")
    length: int = ids.size(1)
    real: torch.Tensor = padding_mask(ids, pad_id)
    past: torch.Tensor = causal_mask(length, device=ids.device)
    mask: torch.Tensor = real.logical_and(past)
    assert mask.dtype == torch.bool
    return mask
# %% right: own helper for the triangle, cached by size and device
_triangles = {}
def _triangle(size, device):
    name = (size, str(device))
    if name not in _triangles:
        _triangles[name] = torch.ones(size, size, dtype=torch.bool, device=device).tril()
    return _triangles[name]
def target_mask(ids, pad_id):
    return ids.ne(pad_id)[:, None, None, :] & _triangle(ids.size(1), ids.device)
# %% right: triu of the columns, then transposed
def target_mask(ids, pad_id):
    real = ids.ne(pad_id)
    table = real.unsqueeze(-1).repeat(1, 1, ids.size(1))  # key, query
    return torch.triu(table).transpose(1, 2).unsqueeze(1)
# %% right: one row after another
def target_mask(ids, pad_id):
    real = ids != pad_id
    rows = []
    for i in range(ids.size(1)):
        row = real.clone()
        row[:, i + 1 :] = False
        rows.append(row)
    return torch.stack(rows, dim=1).unsqueeze(1)
# %% right: new_ones, old-fashioned
def target_mask(ids, pad_id):
    size = ids.size(1)
    subsequent = ids.new_ones((1, size, size)).triu(1)
    mask = (ids != pad_id).unsqueeze(-2)
    mask = mask & (subsequent == 0).type_as(mask)
    return mask.unsqueeze(1)
# %% right: masked_fill on the expanded triangle
def target_mask(ids, pad_id):
    n, t = ids.size()
    mask = causal_mask(t, ids.device).expand(n, 1, t, t)
    return mask.masked_fill(ids.eq(pad_id).view(n, 1, 1, t), False)
# %% right: tril_indices
def target_mask(ids, pad_id):
    n, t = ids.shape
    mask = torch.zeros(n, t, t, dtype=torch.bool, device=ids.device)
    row, column = torch.tril_indices(t, t, device=ids.device)
    mask[:, row, column] = (ids != pad_id)[:, column]
    return mask[:, None]
# %% right: positions compared with each other
def target_mask(ids, pad_id):
    place = torch.arange(ids.size(1), device=ids.device)
    not_later = place.unsqueeze(0) <= place.unsqueeze(1)
    real = ids != pad_id
    return (real.unsqueeze(1) & not_later).unsqueeze(1)
# %% right: einsum over floats
def target_mask(ids, pad_id):
    real = (ids != pad_id).float()
    triangle = torch.ones(ids.size(1), ids.size(1), device=ids.device).tril()
    return torch.einsum("nk,qk->nqk", real, triangle).unsqueeze(1) > 0.5
# %% right: additive on the way
def target_mask(ids, pad_id):
    T = ids.size(1)
    bias = torch.full((T, T), float("-inf"), device=ids.device).triu(diagonal=1)
    bias = bias.masked_fill((ids == pad_id)[:, None, None], float("-inf"))
    return bias == 0
# %% wrong: exclusive or | visible where exactly one allows it
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) ^ causal_mask(ids.size(1), ids.device)
    return mask
# %% wrong: matrix product | @ is taken for "both together"
def target_mask(ids, pad_id):
    mask = (padding_mask(ids, pad_id).float() @ causal_mask(ids.size(1), ids.device).float()) > 0
    return mask.expand(-1, -1, ids.size(1), -1)
# %% wrong: device by what the machine has | cuda if there is one, even for ids on the CPU or elsewhere
def target_mask(ids, pad_id):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    real = padding_mask(ids, pad_id).to(device)
    return real & causal_mask(ids.size(1), device)
# %% wrong: number of all ids | numel is the length for a batch of one only
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.numel(), ids.device)
    return mask
# %% wrong: size of the last real token | the triangle is as large as the longest sentence, not as ids
def target_mask(ids, pad_id):
    longest = int((ids != pad_id).sum(dim=1).max())
    return padding_mask(ids, pad_id)[..., :longest] & causal_mask(longest, ids.device)
# %% wrong: ids larger than pad_id | ids are names without an order
def target_mask(ids, pad_id):
    real = (ids > pad_id).unsqueeze(1).unsqueeze(2)
    return real & causal_mask(ids.size(1), ids.device)
# %% wrong: truth of pad_id | "if pad_id" takes the padding number 0 for "no padding"
def target_mask(ids, pad_id):
    mask = causal_mask(ids.size(1), ids.device).expand(ids.size(0), -1, -1, -1)
    if pad_id:
        mask = mask & padding_mask(ids, pad_id)
    return mask
# %% wrong: pad_id or a default | pad_id = 0 is replaced by 1, the padding number of another library
def target_mask(ids, pad_id):
    pad_id = pad_id or 1
    return padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
# %% wrong: padding number guessed | the last token of the first sentence is taken for padding
def target_mask(ids, pad_id):
    guessed = ids[0, -1]
    return padding_mask(ids, guessed) & causal_mask(ids.size(1), ids.device)
# %% wrong: padding turned around | True at the padding
def target_mask(ids, pad_id):
    hidden = (ids == pad_id)[:, None, None, :]
    return hidden & causal_mask(ids.size(1), ids.device)
# %% wrong: whole result transposed | queries and keys are exchanged at the end
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return mask.transpose(-1, -2)
# %% wrong: not the first one | positions start at 1, so the first token is hidden from all
def target_mask(ids, pad_id):
    T = ids.size(1)
    mask = torch.zeros(ids.size(0), 1, T, T, dtype=torch.bool, device=ids.device)
    real = ids != pad_id
    for q in range(1, T):
        for k in range(1, q + 1):
            mask[:, 0, q, k] = real[:, k]
    return mask
# %% wrong: ids compared instead of positions | a larger id is taken for a later token
def target_mask(ids, pad_id):
    not_later = ids.unsqueeze(1) <= ids.unsqueeze(2)
    return (not_later & (ids != pad_id).unsqueeze(1)).unsqueeze(1)
# %% wrong: loop ends at the padding | rows from the first padding token on are never filled
def target_mask(ids, pad_id):
    n, t = ids.shape
    mask = torch.zeros(n, 1, t, t, dtype=torch.bool, device=ids.device)
    for b in range(n):
        for q in range(t):
            if ids[b, q] == pad_id:
                break
            mask[b, 0, q, : q + 1] = True
    return mask
