# %% right: streaming over blocks of keys, rescaling as it goes
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None, block=3):
    T_q, T_k = query.size(-2), key.size(-2)
    low = torch.finfo(query.dtype).min
    query = query / math.sqrt(query.size(-1))
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], T_k)
    running = torch.full_like(query[..., :1], low)
    total = torch.zeros_like(running)
    pieces = []
    for start in range(0, T_k, block):
        s = query @ key[..., start : start + block, :].transpose(-2, -1)
        if mask is not None:
            s = s.masked_fill(~mask[..., start : start + block], low)
        new = torch.maximum(running, s.amax(-1, keepdim=True).detach())
        total = total * (running - new).exp() + (s - new).exp().sum(-1, keepdim=True)
        running = new
        pieces.append(s)
    weights = torch.cat([(s - running).exp() / total for s in pieces], dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% right: beginner loops over everything
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    # first make everything 3-dimensional
    start = list(query.shape[:-2])
    q = query.reshape(-1, query.shape[-2], query.shape[-1])
    k = key.reshape(-1, key.shape[-2], key.shape[-1])
    v = value.reshape(-1, value.shape[-2], value.shape[-1])
    n_batch, n_q, d_k = q.shape
    n_k = k.shape[1]
    m = None
    if mask is not None:
        m = torch.broadcast_to(mask, start + [n_q, n_k]).reshape(-1, n_q, n_k)
    all_weights = []
    for b in range(n_batch):
        rows = []
        for i in range(n_q):
            scores = []
            for j in range(n_k):
                dot = (q[b, i] * k[b, j]).sum() / math.sqrt(d_k)
                if m is not None and not bool(m[b, i, j]):
                    dot = dot * 0 + torch.finfo(dot.dtype).min
                scores.append(dot)
            rows.append(torch.softmax(torch.stack(scores), dim=0))
        all_weights.append(torch.stack(rows))
    weights = torch.stack(all_weights)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, v)
    output = output.reshape(start + [n_q, v.shape[-1]])
    weights = weights.reshape(start + [n_q, n_k])
    return output, weights
# %% right: helper functions
def _scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(key.size(-1))
def _hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    weights = _hide(_scores(query, key), mask).softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% right: a module wrapped as a function
class _Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)
    def forward(self, query, key, value, mask=None, dropout=None):
        scale = math.sqrt(query.size(-1))
        attn = torch.matmul(query / scale, key.transpose(-2, -1))
        if mask is not None:
            attn = attn.masked_fill(mask == 0, -1e9)
        attn = self.softmax(attn)
        if dropout is not None:
            attn = dropout(attn)
        return torch.matmul(attn, value), attn
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    return _Attention()(query, key, value, mask=mask, dropout=dropout)
# %% right: baddbmm with the mask as bias
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    lead, T_q, T_k = query.shape[:-2], query.size(-2), key.size(-2)
    bias = torch.zeros(*lead, T_q, T_k, dtype=query.dtype, device=query.device)
    if mask is not None:
        bias = bias.masked_fill(~mask, -1e30 if query.dtype != torch.float16 else -6e4)
    scores = torch.baddbmm(
        bias.flatten(0, -3) if lead else bias[None],
        query.reshape(-1, T_q, query.size(-1)),
        key.reshape(-1, T_k, key.size(-1)).transpose(1, 2),
        alpha=query.size(-1) ** -0.5,
    ).view(*lead, T_q, T_k)
    weights = scores.softmax(-1)
    dropped = weights if dropout is None else dropout(weights)
    return dropped @ value, dropped
# %% right: one leading index after another, by recursion
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def weigh(q, k, m):
        if q.dim() > 2:
            parts = [weigh(q[i], k[i], None if m is None else m[i]) for i in range(q.size(0))]
            return torch.stack(parts)
        s = q.mm(k.t()) / q.size(1) ** 0.5
        if m is not None:
            s = s.masked_fill(~m, torch.finfo(s.dtype).min)
        return s.softmax(1)
    if mask is not None:
        mask = mask.broadcast_to(*query.shape[:-1], key.size(-2))
    weights = weigh(query, key, mask)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% right: only the visible keys are ever looked at
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = 1 / math.sqrt(query.size(-1))
    lead, T_q, T_k = query.shape[:-2], query.size(-2), key.size(-2)
    q, k = query.reshape(-1, T_q, query.size(-1)), key.reshape(-1, T_k, key.size(-1))
    if mask is None:
        mask = torch.ones(T_q, T_k, dtype=torch.bool, device=query.device)
    seen = mask.expand(*lead, T_q, T_k).reshape(-1, T_q, T_k)
    flat = []
    for b in range(q.size(0)):
        for i in range(T_q):
            index = seen[b, i].nonzero().flatten()
            row = q.new_zeros(T_k)
            if len(index):
                part = torch.softmax(scale * (k[b, index] @ q[b, i]), 0)
                row = row.index_put((index,), part)
            flat.append(row)
    weights = torch.stack(flat).view(*lead, T_q, T_k)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% right: tensordot-free old style with view and Variable-like code
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    dims = list(range(key.dim()))
    dims[-1], dims[-2] = dims[-2], dims[-1]
    key_t = key.permute(*dims).contiguous()
    p_attn = torch.matmul(query, key_t).div(float(query.size()[-1]) ** 0.5)
    if mask is not None:
        p_attn = p_attn.masked_fill(mask.eq(False), torch.finfo(p_attn.dtype).min)
    p_attn = nn.Softmax(dim=p_attn.dim() - 1)(p_attn)
    if dropout is not None:
        p_attn = dropout.forward(p_attn) if isinstance(dropout, nn.Module) else dropout(p_attn)
    return (torch.matmul(p_attn, value), p_attn)
# %% right: type annotations and defensive checks
from typing import Callable, Optional, Tuple
def scaled_dot_product_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: Optional[torch.Tensor] = None,
    dropout: Optional[Callable[[torch.Tensor], torch.Tensor]] = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    if query.size(-1) != key.size(-1):
        raise ValueError(f"query and key differ in width: {query.size(-1)} and {key.size(-1)}")
    if key.size(-2) != value.size(-2):
        raise ValueError("there must be one value for each key")
    scores: torch.Tensor = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    if mask is not None:
        if mask.dtype is not torch.bool:
            raise TypeError("mask must be boolean")
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights
# %% right: an own autograd function for the softmax
class _RowSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x - x.amax(-1, keepdim=True))
        y = y / y.sum(-1, keepdim=True)
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * (grad - (grad * y).sum(-1, keepdim=True))
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = _RowSoftmax.apply(scores)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% right: terse with walrus and identity dropout
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    s = query / query.shape[-1] ** 0.5 @ key.mT
    s = s if mask is None else s.masked_fill(mask.logical_not(), torch.finfo(s.dtype).min)
    return (w := (dropout or (lambda t: t))(s.softmax(-1))) @ value, w
# %% right: flattened to three axes and bmm
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    lead = query.shape[:-2]
    T_q, d_k = query.shape[-2:]
    T_k, d_v = value.shape[-2:]
    q = query.reshape(-1, T_q, d_k)
    k = key.reshape(-1, T_k, d_k)
    v = value.reshape(-1, T_k, d_v)
    scores = torch.bmm(q, k.permute(0, 2, 1)) / math.sqrt(d_k)
    if mask is not None:
        flat = mask.expand(*lead, T_q, T_k).reshape(-1, T_q, T_k)
        scores = scores.masked_fill(~flat, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=2)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.bmm(weights, v)
    return output.reshape(*lead, T_q, d_v), weights.reshape(*lead, T_q, T_k)
# %% right: steps composed with functools.reduce
from functools import partial, reduce
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    steps = [lambda k: k.transpose(-2, -1), partial(torch.matmul, query), lambda s: s / math.sqrt(query.size(-1))]
    if mask is not None:
        steps.append(lambda s: s.masked_fill(~mask, torch.finfo(s.dtype).min))
    steps.append(partial(torch.softmax, dim=-1))
    if dropout is not None:
        steps.append(dropout)
    weights = reduce(lambda x, f: f(x), steps, key)
    return weights @ value, weights
# %% wrong: precedence of the power | d_k ** 1 / 2 is half of d_k, right for d_k = 4 only
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / (d_k ** 1 / 2)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = torch.where(mask, scores, lowest)
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights
# %% wrong: integer root | the root is rounded down, right for square numbers only
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.isqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights
# %% wrong: axis counted from the front | shape[2] is d_k for three axes only
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.shape[2]
    scores = torch.matmul(query, key.transpose(-2, -1)) / d_k**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, -1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights
# %% wrong: hard-coded size of the paper | always divides by 8 = sqrt(64)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / 8.0
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% wrong: fourth root on one side only | the other half of the scaling is forgotten
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    query = query * query.size(-1) ** -0.25
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% wrong: scale after the softmax | the weights are divided instead of the scores
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1) / math.sqrt(d_k)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights
# %% wrong: cosine similarity | vectors are normalised to length 1 instead of scaled by sqrt(d_k)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    q = F.normalize(query, dim=-1)
    k = F.normalize(key, dim=-1)
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% wrong: scale remembered from the first call | a function attribute keeps the first d_k for ever
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    if not hasattr(scaled_dot_product_attention, "scale"):
        scaled_dot_product_attention.scale = math.sqrt(query.size(-1))
    scores = query @ key.transpose(-2, -1) / scaled_dot_product_attention.scale
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% wrong: softmax over all keys and queries together | a whole table sums to 1 instead of each row
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.flatten(-2).softmax(-1).view_as(scores)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% wrong: nan_to_num on the output only | the returned weights of an empty row stay nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    s = torch.einsum("...qd,...kd->...qk", query, key) / query.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    w = s.softmax(-1)
    if dropout is not None:
        w = dropout(w)
    return torch.nan_to_num(w @ value), w
# %% wrong: nan_to_num after an infinite bias | forward is repaired with nan_to_num, but the gradient of an empty row is nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        bias = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
        scores = scores + bias
    weights = scores.softmax(-1).nan_to_num(0.0)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% wrong: fill of minus 20 | low, but not low enough for a weight of exactly 0
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -20.0)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights
# %% wrong: mask on the queries | the mask is transposed and hides rows instead of keys
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        if mask.dim() > 1:
            mask = mask.transpose(-2, -1)
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
# %% wrong: mask only for four axes | masks of fewer axes are silently ignored
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None and mask.dim() == 4:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
