# %% right: skeleton filled
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return mask

# %% right: logical_and and keywords
def target_mask(ids, pad_id):
    padding = padding_mask(ids=ids, pad_id=pad_id)
    causal = causal_mask(size=ids.shape[-1], device=ids.device)
    return torch.logical_and(padding, causal)

# %% right: product of booleans
def target_mask(ids, pad_id):
    N, T = ids.shape
    return causal_mask(T, device=ids.device) * padding_mask(ids, pad_id)

# %% right: De Morgan
def target_mask(ids, pad_id):
    hidden_padding = ~padding_mask(ids, pad_id)
    hidden_future = ~causal_mask(ids.size(1), ids.device)
    return ~(hidden_padding | hidden_future)

# %% right: masked_fill on the expanded triangle
def target_mask(ids, pad_id):
    n, t = ids.size()
    mask = causal_mask(t, ids.device).expand(n, 1, t, t)
    return mask.masked_fill(ids.eq(pad_id).view(n, 1, 1, t), False)

# %% right: where
def target_mask(ids, pad_id):
    causal = causal_mask(ids.size(-1), device=ids.device)
    real = padding_mask(ids, pad_id)
    return torch.where(causal, real, torch.zeros_like(real))

# %% right: positions compared with each other
def target_mask(ids, pad_id):
    place = torch.arange(ids.size(1), device=ids.device)
    not_later = place.unsqueeze(0) <= place.unsqueeze(1)
    real = ids != pad_id
    return (real.unsqueeze(1) & not_later).unsqueeze(1)

# %% right: tril of the repeated row
def target_mask(ids, pad_id):
    T = ids.size(1)
    real = (ids != pad_id)[:, None, None, :]
    return real.expand(-1, -1, T, -1).tril()

# %% right: triu of the columns, then transposed
def target_mask(ids, pad_id):
    real = ids.ne(pad_id)
    table = real.unsqueeze(-1).repeat(1, 1, ids.size(1))  # key, query
    return torch.triu(table).transpose(1, 2).unsqueeze(1)

# %% right: beginner loops
def target_mask(ids, pad_id):
    n, t = ids.shape
    mask = torch.zeros(n, 1, t, t, dtype=torch.bool, device=ids.device)
    for sentence in range(n):
        for query in range(t):
            for key in range(t):
                if key <= query and ids[sentence, key] != pad_id:
                    mask[sentence, 0, query, key] = True
    return mask

# %% right: lists of lists
def target_mask(ids, pad_id):
    rows = ids.tolist()
    length = ids.size(1)
    table = [[[[k <= q and row[k] != pad_id for k in range(length)] for q in range(length)]] for row in rows]
    return torch.tensor(table, dtype=torch.bool, device=ids.device)

# %% right: one row after another
def target_mask(ids, pad_id):
    real = ids != pad_id
    rows = []
    for i in range(ids.size(1)):
        row = real.clone()
        row[:, i + 1 :] = False
        rows.append(row)
    return torch.stack(rows, dim=1).unsqueeze(1)

# %% right: in place on its own tensor
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id).repeat(1, 1, ids.size(1), 1)
    mask &= causal_mask(ids.size(1), ids.device)
    return mask

# %% right: numbers, compared at the end
def target_mask(ids, pad_id):
    padding = padding_mask(ids, pad_id).long()
    causal = causal_mask(ids.size(1), ids.device).long()
    return padding + causal == 2

# %% right: minimum of both
def target_mask(ids, pad_id):
    p = padding_mask(ids, pad_id).to(torch.uint8)
    c = causal_mask(ids.shape[1], ids.device).to(torch.uint8)
    return torch.minimum(p, c).bool()

# %% right: additive on the way
def target_mask(ids, pad_id):
    T = ids.size(1)
    bias = torch.full((T, T), float("-inf"), device=ids.device).triu(diagonal=1)
    bias = bias.masked_fill((ids == pad_id)[:, None, None], float("-inf"))
    return bias == 0

# %% right: type annotations and checks
def target_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    """Return the (N, 1, T, T) mask of a decoder."""
    if ids.dim() != 2:
        raise ValueError(f"ids must be (N, T), not {tuple(ids.shape)}")
    length: int = ids.size(1)
    real: torch.Tensor = padding_mask(ids, pad_id)
    past: torch.Tensor = causal_mask(length, device=ids.device)
    mask: torch.Tensor = real.logical_and(past)
    assert mask.dtype == torch.bool
    return mask

# %% right: any number of masks with functools.reduce
import functools
import operator


def target_mask(ids, pad_id):
    masks = [padding_mask(ids, pad_id), causal_mask(ids.size(1), ids.device)]
    return functools.reduce(operator.and_, masks)

# %% right: both stacked, all of them
def target_mask(ids, pad_id):
    both = torch.broadcast_tensors(padding_mask(ids, pad_id), causal_mask(ids.size(1), ids.device))
    return torch.stack(both).all(dim=0)

# %% right: einsum over floats
def target_mask(ids, pad_id):
    real = (ids != pad_id).float()
    triangle = torch.ones(ids.size(1), ids.size(1), device=ids.device).tril()
    return torch.einsum("nk,qk->nqk", real, triangle).unsqueeze(1) > 0.5

# %% right: own helper for the triangle, cached by size and device
_triangles = {}


def _triangle(size, device):
    name = (size, str(device))
    if name not in _triangles:
        _triangles[name] = torch.ones(size, size, dtype=torch.bool, device=device).tril()
    return _triangles[name]


def target_mask(ids, pad_id):
    return ids.ne(pad_id)[:, None, None, :] & _triangle(ids.size(1), ids.device)

# %% right: sentence by sentence
def target_mask(ids, pad_id):
    past = causal_mask(ids.size(1), ids.device)[0]
    return torch.stack([past & (sentence != pad_id) for sentence in ids])

# %% right: comparison of booleans
def target_mask(ids, pad_id):
    future = ~causal_mask(ids.size(1), ids.device)
    return padding_mask(ids, pad_id) > future

# %% right: new_ones, old-fashioned
def target_mask(ids, pad_id):
    size = ids.size(1)
    subsequent = ids.new_ones((1, size, size)).triu(1)
    mask = (ids != pad_id).unsqueeze(-2)
    mask = mask & (subsequent == 0).type_as(mask)
    return mask.unsqueeze(1)

# %% right: tril_indices
def target_mask(ids, pad_id):
    n, t = ids.shape
    mask = torch.zeros(n, t, t, dtype=torch.bool, device=ids.device)
    row, column = torch.tril_indices(t, t, device=ids.device)
    mask[:, row, column] = (ids != pad_id)[:, column]
    return mask[:, None]

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

# %% right: exclusive or of the hidden part
def target_mask(ids, pad_id):
    past = causal_mask(ids.size(1), ids.device)
    past_padding = past & (ids == pad_id)[:, None, None, :]
    return past ^ past_padding

# %% right: key positions moved beyond the end when they are padding
def target_mask(ids, pad_id):
    T = ids.size(1)
    query = torch.arange(T, device=ids.device)
    key = query.expand_as(ids).masked_fill(ids == pad_id, T)
    return (key[:, None, None, :] <= query[:, None])

# %% wrong: padding only | the future is visible
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id).expand(-1, -1, ids.size(1), -1)
    return mask

# %% wrong: causal only | padding is visible
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = causal_mask(ids.size(1), ids.device).expand(ids.size(0), -1, -1, -1)
    return mask

# %% wrong: or | a key is visible if one of the two allows it
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: plus | the sum of booleans is an or
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) + causal_mask(ids.size(1), device=ids.device)
    return mask

# %% wrong: exclusive or | visible where exactly one allows it
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) ^ causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: equal | padding in the future is hidden by both, so the comparison says True
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) == causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: Python's and | a tensor with several entries has no truth value
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) and causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: matrix product | @ is taken for "both together"
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = (padding_mask(ids, pad_id).float() @ causal_mask(ids.size(1), ids.device).float()) > 0
    return mask.expand(-1, -1, ids.size(1), -1)

# %% wrong: device forgotten | the triangle lies on the CPU wherever ids lie
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1))
    return mask

# %% wrong: device by what the machine has | cuda if there is one, even for ids on the CPU or elsewhere
def target_mask(ids, pad_id):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    real = padding_mask(ids, pad_id).to(device)
    return real & causal_mask(ids.size(1), device)

# %% wrong: result on the CPU | both are brought to the CPU to be safe
def target_mask(ids, pad_id):
    mask = padding_mask(ids.cpu(), pad_id) & causal_mask(ids.size(1), device="cpu")
    return mask

# %% wrong: size of the batch | the triangle gets N instead of T, right for N = T only
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(0), ids.device)
    return mask

# %% wrong: number of all ids | numel is the length for a batch of one only
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.numel(), ids.device)
    return mask

# %% wrong: ids themselves as size | the tensor is passed instead of its length
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids, ids.device)
    return mask

# %% wrong: size of the last real token | the triangle is as large as the longest sentence, not as ids
def target_mask(ids, pad_id):
    longest = int((ids != pad_id).sum(dim=1).max())
    return padding_mask(ids, pad_id)[..., :longest] & causal_mask(longest, ids.device)

# %% wrong: padding number hard-coded | pad_id is ignored, 0 is taken for padding
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, 0) & causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: truth of the ids | an id is real if it is not 0, whatever pad_id says
def target_mask(ids, pad_id):
    T = ids.size(1)
    past = torch.tril(torch.ones(T, T, dtype=torch.bool, device=ids.device))
    return ids.bool()[:, None, None, :] & past

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

# %% wrong: all turned around | True means hidden, as in nn.Transformer
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = ~(padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device))
    return mask

# %% wrong: De Morgan half done | not (a and b) of the hidden parts is an or of the visible ones
def target_mask(ids, pad_id):
    no_padding = ~padding_mask(ids, pad_id)
    no_future = ~causal_mask(ids.size(1), ids.device)
    hidden = no_padding & no_future
    return hidden.logical_not()

# %% wrong: triangle transposed | the past is hidden and the future visible
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device).transpose(-2, -1)
    return mask

# %% wrong: whole result transposed | queries and keys are exchanged at the end
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return mask.transpose(-1, -2)

# %% wrong: not itself | the diagonal is hidden
def target_mask(ids, pad_id):
    size = ids.size(1)
    past = torch.ones(size, size, dtype=torch.bool, device=ids.device).tril(diagonal=-1)
    return padding_mask(ids, pad_id) & past

# %% wrong: one too many | the next token is visible
def target_mask(ids, pad_id):
    place = torch.arange(ids.size(1), device=ids.device)
    past = place[None, :] <= place[:, None] + 1
    return (ids != pad_id)[:, None, None, :] & past

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

# %% wrong: padding rows hidden too | the row of a padding token sees nothing, but it should see the real ones
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    padding = padding_mask(ids, pad_id)
    mask = padding & padding.transpose(-2, -1) & causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: padding hides queries | the padding mask is turned to the rows
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id).transpose(-2, -1) & causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: rows set instead of columns | indexing with (N, T) hits the query axis
def target_mask(ids, pad_id):
    N, T = ids.shape
    mask = causal_mask(T, ids.device)[0].repeat(N, 1, 1)
    mask[ids == pad_id] = False
    return mask.unsqueeze(1)

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

# %% wrong: lengths from counting | assumes that the padding is on the right
def target_mask(ids, pad_id):
    lengths = (ids != pad_id).sum(dim=1)
    place = torch.arange(ids.size(1), device=ids.device)
    real = place < lengths.unsqueeze(1)
    return real[:, None, None, :] & causal_mask(ids.size(1), ids.device)

# %% wrong: all after the first padding | a running product also hides real tokens that follow padding
def target_mask(ids, pad_id):
    real = (ids != pad_id).long().cumprod(dim=1).bool()
    return real[:, None, None, :] & causal_mask(ids.size(1), ids.device)

# %% wrong: only padding in front hidden | a running sum is positive from the first real token on
def target_mask(ids, pad_id):
    real = (ids != pad_id).cumsum(dim=1) > 0
    return real[:, None, None, :] & causal_mask(ids.size(1), ids.device)

# %% wrong: length of the first sentence | all sentences are taken to be as long as the first one
def target_mask(ids, pad_id):
    length = (ids[0] != pad_id).sum()
    place = torch.arange(ids.size(1), device=ids.device)
    mask = (place[None, :] <= place[:, None]) & (place < length)
    return mask.expand(ids.size(0), 1, -1, -1)

# %% wrong: padding of the first sentence | ids[:1] decides for the whole batch
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids[:1], pad_id) & causal_mask(ids.size(1), ids.device)
    return mask.expand(ids.size(0), -1, -1, -1)

# %% wrong: hidden only where all sentences have padding | the batch is put together with any
def target_mask(ids, pad_id):
    real = (ids != pad_id).any(dim=0)
    both = real & causal_mask(ids.size(1), ids.device)
    return both.expand(ids.size(0), -1, -1, -1)

# %% wrong: shortcut without padding | a batch without padding gets (1, 1, T, T) instead of (N, 1, T, T)
def target_mask(ids, pad_id):
    causal = causal_mask(ids.size(1), ids.device)
    if not (ids == pad_id).any():
        return causal
    return padding_mask(ids, pad_id) & causal

# %% wrong: shortcut by the last column | no padding is suspected when the last tokens are all real
def target_mask(ids, pad_id):
    causal = causal_mask(ids.size(1), ids.device)
    if (ids[:, -1] == pad_id).any():
        return padding_mask(ids, pad_id) & causal
    return causal.repeat(ids.size(0), 1, 1, 1)

# %% wrong: own token always visible | the diagonal is set to True against nan, also at padding
def target_mask(ids, pad_id):
    T = ids.size(1)
    mask = padding_mask(ids, pad_id) & causal_mask(T, ids.device)
    return mask | torch.eye(T, dtype=torch.bool, device=ids.device)

# %% wrong: first token always visible | column 0 is taken for bos and never hidden
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    mask[..., 0] = True
    return mask

# %% wrong: padding rows see everything | rows of padding are opened so that no row is empty
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return mask.masked_fill((ids == pad_id)[:, None, :, None], True)

# %% wrong: where with True | padding in the past is set to True
def target_mask(ids, pad_id):
    causal = causal_mask(ids.size(1), ids.device)
    real = padding_mask(ids, pad_id)
    return torch.where(real, causal, torch.ones_like(causal))

# %% wrong: head axis missing | the result is (N, T, T)
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id).squeeze(1) & causal_mask(ids.size(1), ids.device).squeeze(1)
    return mask

# %% wrong: axis in front | the batch is put on the place of the heads: (1, N, T, T)
def target_mask(ids, pad_id):
    T = ids.size(1)
    past = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
    both = (ids != pad_id).unsqueeze(1) & past
    return both.unsqueeze(0)

# %% wrong: squeezed | axes of size 1 vanish, the one of the heads first
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = (padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)).squeeze()
    return mask

# %% wrong: repeated for eight heads | the result is (N, 8, T, T)
def target_mask(ids, pad_id, num_heads=8):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return mask.repeat(1, num_heads, 1, 1)

# %% wrong: batch and query axis confused | (N, T) against (T, T) runs where N = T and means something else
def target_mask(ids, pad_id):
    T = ids.size(1)
    past = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
    real = ids != pad_id
    both = real & past
    return both.expand(ids.size(0), 1, T, T)

# %% wrong: additive | zeros and minus infinity instead of booleans
def target_mask(ids, pad_id):
    visible = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return torch.zeros(visible.shape, device=ids.device).masked_fill(~visible, float("-inf"))

# %% wrong: floats | ones and zeros instead of booleans
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id).float() * causal_mask(ids.size(1), ids.device).float()
    return mask

# %% wrong: dtype of the ids | a triangle of new_ones is long, and so is the result
def target_mask(ids, pad_id):
    T = ids.size(1)
    triangle = ids.new_ones(T, T).tril()
    return (ids != pad_id)[:, None, None, :] & triangle

# %% wrong: bytes | uint8 as in old PyTorch
def target_mask(ids, pad_id):
    T = ids.size(-1)
    future = torch.triu(torch.ones((1, T, T), device=ids.device), diagonal=1).byte()
    return (ids != pad_id).unsqueeze(-2).byte().unsqueeze(1) & (future == 0).byte()

# %% wrong: lists | a nested list instead of a tensor
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return mask.tolist()

# %% wrong: a pair | returns the two parts and leaves it to the caller to join them
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id), causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: nothing returned | the return was forgotten
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)

# %% wrong: in place into the triangle | (1, 1, T, T) cannot hold (N, 1, T, T), right for a batch of one
def target_mask(ids, pad_id):
    mask = causal_mask(ids.size(1), ids.device)
    mask &= padding_mask(ids, pad_id)
    return mask

# %% wrong: decoder input cut here | the last token is dropped as in teacher forcing
def target_mask(ids, pad_id):
    ids = ids[:, :-1]
    return padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)

# %% wrong: shifted by one | the padding of the labels, ids[:, 1:], is looked at
def target_mask(ids, pad_id):
    shifted = torch.cat([ids[:, 1:], torch.full_like(ids[:, :1], pad_id)], dim=1)
    return padding_mask(shifted, pad_id) & causal_mask(ids.size(1), ids.device)

# %% wrong: cached by shape | the second batch of the same shape gets the padding of the first
_masks = {}


def target_mask(ids, pad_id):
    if ids.shape not in _masks:
        _masks[ids.shape] = padding_mask(ids, pad_id) & causal_mask(ids.size(1), ids.device)
    return _masks[ids.shape]

# %% wrong: triangle cached without the device | a default argument keeps the triangle where it was made first
def target_mask(ids, pad_id, _cache={}):
    T = ids.size(1)
    if T not in _cache:
        _cache[T] = causal_mask(T, ids.device)
    return padding_mask(ids, pad_id) & _cache[T]

# %% wrong: cache changed in place | the padding is written into the stored mask and stays there
_kept = {}


def target_mask(ids, pad_id):
    N, T = ids.shape
    if (N, T, ids.device) not in _kept:
        _kept[N, T, ids.device] = causal_mask(T, ids.device).repeat(N, 1, 1, 1)
    mask = _kept[N, T, ids.device]
    mask &= padding_mask(ids, pad_id)
    return mask

# %% wrong: largest length 64 | a fixed triangle is cut to size, longer sentences raise
_BIG = torch.ones(64, 64).tril().bool()


def target_mask(ids, pad_id):
    T = ids.size(1)
    return padding_mask(ids, pad_id) & _BIG[:T, :T].to(ids.device)

# %% wrong: remembers the first pad_id | the default is bound in the first call and never again
def target_mask(ids, pad_id):
    if not hasattr(target_mask, "pad_id"):
        target_mask.pad_id = pad_id
    return padding_mask(ids, target_mask.pad_id) & causal_mask(ids.size(1), ids.device)

# %% wrong: ids changed in place | padding is overwritten in the caller's tensor
def target_mask(ids, pad_id):
    real = padding_mask(ids, pad_id)
    ids[ids == pad_id] = 0
    ids[ids != 0] = 1
    return real & causal_mask(ids.size(1), ids.device)

# %% wrong: default device changed | set_default_device stays for the whole program
def target_mask(ids, pad_id):
    torch.set_default_device(ids.device)
    T = ids.size(1)
    triangle = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids != pad_id)[:, None, None, :] & triangle

# %% wrong: is not instead of != | compares identities, which is always True, so no padding is found
def target_mask(ids, pad_id):
    real = ids is not pad_id
    return causal_mask(ids.size(1), ids.device).expand(ids.size(0), -1, -1, -1) & real

# %% wrong: window | each token sees only itself and the token before
def target_mask(ids, pad_id):
    T = ids.size(1)
    band = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril().triu(-1)
    return padding_mask(ids, pad_id) & band

# %% wrong: real tokens numbered | padding gets the number of the real token before it and stays visible
def target_mask(ids, pad_id):
    position = (ids != pad_id).cumsum(dim=1)
    past = position.unsqueeze(1) <= position.unsqueeze(2)
    return past.unsqueeze(1)

# %% wrong: parameter renamed | cannot be called by the name pad_id
def target_mask(tgt, pad=0):
    return padding_mask(tgt, pad) & causal_mask(tgt.size(1), tgt.device)
