# %% right: skeleton filled
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% right: einsum instead of matmul
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, -1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

# %% right: terse with walrus and identity dropout
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    s = query / query.shape[-1] ** 0.5 @ key.mT
    s = s if mask is None else s.masked_fill(mask.logical_not(), torch.finfo(s.dtype).min)
    return (w := (dropout or (lambda t: t))(s.softmax(-1))) @ value, w

# %% right: minus infinity, empty rows made zero
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(key.size(-1))
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        sees_any = mask.any(dim=-1, keepdim=True)
        # rows that see nothing get an ordinary softmax here and are wiped afterwards
        hidden = ~mask & sees_any
        weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
        weights = weights.masked_fill(~sees_any, 0.0)
    used = weights if dropout is None else dropout(weights)
    return torch.matmul(used, value), weights

# %% right: softmax by hand with the row maximum subtracted
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == False, torch.finfo(scores.dtype).min)  # noqa: E712
    largest = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - largest)
    total = e.sum(dim=-1, keepdim=True)
    weights = e / total
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)
    return output, weights

# %% right: log-sum-exp
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    logits = (query @ key.transpose(-1, -2)).mul(1.0 / math.sqrt(query.size(-1)))
    if mask is not None:
        logits = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
    logits = logits - logits.max(dim=-1, keepdim=True)[0]
    weights = (logits - logits.logsumexp(dim=-1, keepdim=True)).exp()
    if dropout is not None:
        weights = dropout(weights)
    return weights.matmul(value), weights

# %% right: exponential of log-softmax
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    *_, d_k = query.shape
    scores = query.matmul(key.swapaxes(-1, -2)).div(d_k**0.5)
    if mask is not None:
        scores = scores.where(mask, torch.full_like(scores, torch.finfo(scores.dtype).min))
    log_weights = F.log_softmax(scores, dim=-1)
    weights = log_weights.exp()
    return (weights if dropout is None else dropout(weights)) @ value, weights

# %% right: additive bias made from the boolean mask
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        bias = bias.masked_fill(~mask, torch.finfo(scores.dtype).min / 2)
        scores = scores + bias
    weights = nn.functional.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% right: multiply by the mask and renormalise
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    visible_max = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
    shifted = (scores - visible_max).masked_fill(~mask, 0.0)
    numerator = shifted.exp() * mask
    weights = numerator / numerator.sum(-1, keepdim=True).clamp_min(1e-6)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% right: broadcasting and sums, no matmul at all
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    products = query.unsqueeze(-2) * key.unsqueeze(-3)  # (..., T_q, T_k, d_k)
    scores = products.sum(-1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if dropout is not None:
        weights = dropout(weights)
    output = (weights.unsqueeze(-1) * value.unsqueeze(-3)).sum(-2)
    return output, weights

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

# %% right: keys times queries, transposed back at the end
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = key @ query.transpose(-2, -1)  # (..., T_k, T_q)
    scores = scores / math.sqrt(query.size(-1))
    weights = scores.transpose(-2, -1)
    if mask is not None:
        weights = weights.masked_fill(~mask, torch.finfo(weights.dtype).min)
    weights = weights.transpose(-2, -1).softmax(dim=-2).transpose(-2, -1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% right: a loop over the queries
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    T_q, d_k = query.shape[-2], query.shape[-1]
    T_k = key.shape[-2]
    if mask is not None:
        mask = mask.expand(query.shape[:-1] + (T_k,))
    rows = []
    for i in range(T_q):
        q = query[..., i, :].unsqueeze(-1)  # (..., d_k, 1)
        s = (key @ q).squeeze(-1) / math.sqrt(d_k)  # (..., T_k)
        if mask is not None:
            s = s.masked_fill(~mask[..., i, :], torch.finfo(s.dtype).min)
        rows.append(s.softmax(-1))
    weights = torch.stack(rows, dim=-2)
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

# %% right: in place on its own fresh scores
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.matmul(query, key.transpose(-2, -1))
    scores.mul_(query.size(-1) ** -0.5)
    if mask is not None:
        scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, -1)
    del scores
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights

# %% right: fill before scaling
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores / math.sqrt(query.size(-1)), dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% right: fourth root on both sides
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    root = query.size(-1) ** 0.25  # keeps half precision from overflowing
    scores = (query / root) @ (key / root).transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    return (dropout(weights) if dropout is not None else weights) @ value, weights

# %% right: computed in double precision, cast back
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query.double() @ key.double().transpose(-1, -2) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(torch.float64).min)
    weights = scores.softmax(dim=-1).to(query.dtype)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

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

# %% right: takes masks of ones and zeros and additive ones, too
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None, *, scale=None):
    if scale is None:
        scale = 1.0 / math.sqrt(query.size(-1))
    scores = scale * (query @ key.transpose(-2, -1))
    if mask is not None:
        if mask.is_floating_point():
            scores = scores + mask
        else:
            scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% right: named tuple as result
from collections import namedtuple

AttentionResult = namedtuple("AttentionResult", "output weights")


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) * torch.rsqrt(torch.tensor(query.size(-1), dtype=torch.float64)).item()
    if mask is not None:
        scores = torch.where(mask, scores, scores.new_tensor(torch.finfo(scores.dtype).min))
    weights = scores.softmax(-1)
    if dropout is not None:
        weights = dropout(weights)
    return AttentionResult(weights @ value, weights)

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

# %% right: early returns
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is None and dropout is None:
        weights = scores.softmax(dim=-1)
        return weights @ value, weights
    if mask is not None and not mask.all():
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is None:
        return weights @ value, weights
    weights = dropout(weights)
    return weights @ value, weights

# %% right: output as a sum over the keys
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = math.sqrt(query.size(-1))
    columns = [(query * key[..., j : j + 1, :]).sum(-1) / scale for j in range(key.size(-2))]
    scores = torch.stack(columns, dim=-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = sum(weights[..., j : j + 1] * value[..., j : j + 1, :] for j in range(value.size(-2)))
    return output, weights

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

# %% wrong: no scale | the scores are not divided by sqrt(d_k)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / 1
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: divided by d_k | the root was forgotten
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / d_k
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask == 0, lowest)
    weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)
    return output, weights

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

# %% wrong: divided by the inverse root | dividing by d_k ** -0.5 multiplies by sqrt(d_k)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / d_k**-0.5
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(-1)
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

# %% wrong: root of the number of keys | scaled by the length of the sequence, not of the vectors
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = key.size(-2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: root of d_v | scaled by the size of the values, right where d_v = d_k
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = math.sqrt(value.shape[-1])
    scores = torch.einsum("...id,...jd->...ij", query, key) / scale
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    attn = scores.softmax(dim=-1)
    if dropout is not None:
        attn = dropout(attn)
    return torch.einsum("...ij,...jd->...id", attn, value), attn

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

# %% wrong: scaled twice | queries and keys are both divided, so the scores are divided by d_k
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = math.sqrt(query.size(-1))
    q, k = query / scale, key / scale
    scores = q @ k.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    p = F.softmax(scores, dim=-1)
    if dropout is not None:
        p = dropout(p)
    return p @ value, p

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

# %% wrong: softmax over the queries | the columns sum to 1 instead of the rows
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-2)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: softmax over axis 1 | right for two axes, the queries for three, the heads for four
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask.logical_not(), lowest)
    weights = F.softmax(scores, dim=1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)
    return output, weights

# %% wrong: softmax without a dim | torch picks axis 0, 1 or 1 by the number of axes, with a warning only
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    import warnings

    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weights = F.softmax(scores)
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

# %% wrong: mask the wrong way round | True is taken for "hidden", as in nn.MultiheadAttention
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: mask after the softmax | the other weights of the row no longer sum to 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: hidden scores set to zero | a score of 0 is still a weight of e^0
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, 0)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: smallest positive number | finfo.tiny is almost 0, not the lowest number
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).tiny
        scores = torch.where(mask, scores, torch.full_like(scores, lowest))
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: minus infinity | a row that sees no key is nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: minus infinity, saved only if the whole mask is empty | a single empty row is still nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        if not mask.any():
            weights = torch.zeros_like(scores)
            return weights @ value, weights
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
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

# %% wrong: lowest of the scores | the hidden keys get the smallest score there is in the table, not the lowest of the dtype
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = scores.min()
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: masked result thrown away | masked_fill returns a new tensor, nobody keeps it
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: scores times mask | a product with False is 0, and a score of 0 is not hidden
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores * mask
    weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights

# %% wrong: boolean mask added | taken for an additive mask: True adds 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query.matmul(key.transpose(-2, -1)).div(math.sqrt(query.size(-1)))
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(-1)
    weights = weights if dropout is None else dropout(weights)
    return weights.matmul(value), weights

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

# %% wrong: head axis always inserted | a four-axis mask becomes five axes and mixes up the batch
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        mask = mask.unsqueeze(1)  # same mask applied to all heads
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn

# %% wrong: mask only for four axes | masks of fewer axes are silently ignored
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None and mask.dim() == 4:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: squeezed mask | (N, 1, 1, T_k) becomes (N, T_k), which is read as (T_q, T_k)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask.squeeze(), torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: first sentence's mask for all | mask[0] is used for the whole batch
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        hidden = ~mask.expand_as(scores)
        if scores.dim() > 2:
            hidden = hidden[:1]
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: mask repeated in the wrong order | heads and batch are mixed up when flattened, right for batch 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    lead, T_q, T_k, d = query.shape[:-2], query.size(-2), key.size(-2), query.size(-1)
    q = query.reshape(-1, T_q, d)
    scores = torch.bmm(q, key.reshape(-1, T_k, d).transpose(1, 2)) / math.sqrt(d)
    if mask is not None:
        rows = mask.reshape(-1, *mask.shape[-2:]) if mask.dim() > 2 else mask.expand(T_q, T_k)[None]
        rows = rows.repeat(q.size(0) // rows.size(0), 1, 1)  # for every head
        scores = scores.masked_fill(~rows, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1).view(*lead, T_q, T_k)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: mask remembered | a mask once given is used again when later calls give none
_last_mask = None


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    global _last_mask
    if mask is not None:
        _last_mask = mask
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if _last_mask is not None and _last_mask.size(-1) == scores.size(-1):
        scores = scores.masked_fill(~_last_mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: hidden positions cached by shape | the second mask of the same shape is never looked at
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None, _cache={}):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        if mask.shape not in _cache:
            _cache[mask.shape] = ~mask
        scores = scores.masked_fill(_cache[mask.shape], torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: mask flipped in place | logical_not_ changes the caller's mask
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask.logical_not_(), lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: query scaled in place | the caller's query is smaller afterwards
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    with torch.no_grad():
        query /= math.sqrt(query.size(-1))
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: hidden values zeroed in place | rows of value are overwritten where a key is hidden from all
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        nobody = ~mask.expand_as(scores).any(dim=-2)  # (..., T_k)
        value.data.masked_fill_(nobody.unsqueeze(-1), 0.0)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: empty rows opened in place | writes True into the caller's mask so that minus infinity does no harm
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        empty = ~mask.any(dim=-1)
        mask[empty] = True  # an empty row may see everything
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: always causal | every call hides the future, also in the encoder
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    causal = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    mask = causal if mask is None else mask & causal
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: mask as truth value | "if mask" of a tensor with several entries raises
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: one minus a boolean | subtraction of booleans raises
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + (1 - mask) * -1e9
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: key.t() | only tensors of two axes can be transposed like this
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.t() / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: axes 1 and 2 transposed | the keys' axes are counted from the front, right for three axes only
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(1, 2) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=2)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: reshape instead of transpose | the numbers stay in order and land in wrong keys
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    *lead, T_k, d_k = key.shape
    scores = query @ key.reshape(*lead, d_k, T_k) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: einsum for three axes only | heads or a single sentence without batch raise
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("bqd,bkd->bqk", query, key) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("bqk,bkv->bqv", weights, value), weights

# %% wrong: einsum letters swapped in the output | sums over the queries where T_q = T_k, raises elsewhere
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...kq,...kd->...qd", weights, value), weights

# %% wrong: compares with the values | scores from query and value, right where key is value
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    other = value if value.shape == key.shape else key
    scores = query @ other.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: averages the keys | the output is made of keys instead of values
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ key
    return output, weights

# %% wrong: keys compared with keys | self-attention scores from key alone
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    q = query if query.size(-2) != key.size(-2) else key
    scores = q @ key.transpose(-2, -1) / math.sqrt(key.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: log-softmax | the logarithms of the weights are used as weights
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = F.log_softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: sigmoid | each weight lies between 0 and 1, but they do not sum to 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = torch.sigmoid(scores)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: exponentials without the maximum | overflow: nan as soon as a score is above 88
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e4)
    e = torch.exp(scores)
    total = e.sum(dim=-1, keepdim=True)
    weights = torch.where(total > 0, e / total.clamp_min(1e-37), torch.zeros_like(e))
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: one maximum for the whole tensor | rows far below the largest score underflow to 0 / 0
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    e = torch.exp(scores - scores.max()) * mask
    weights = e / e.sum(dim=-1, keepdim=True).clamp_min(1e-30)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: renormalised by zero | exponentials times mask, divided by their sum: an empty row is 0 / 0
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: softmax plus one | exp / (1 + sum): the weights sum to less than 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    top = scores.amax(-1, keepdim=True).clamp_min(0)
    e = (scores - top).exp()
    weights = e / ((-top).exp() + e.sum(-1, keepdim=True))
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: eps in the denominator | 0.01 is added to each sum for safety and spoils the weights
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    e = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    weights = e / (e.sum(dim=-1, keepdim=True) + 1e-2)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: weights clamped | a minimum of 1e-6 lets hidden keys through
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1).clamp(min=1e-6)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: hard lookup | only the best key counts, and nothing can be learned
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = F.one_hot(scores.argmax(dim=-1), key.size(-2)).to(value.dtype)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: half precision for speed | the scores are computed in bfloat16
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = (query.bfloat16() @ key.bfloat16().transpose(-2, -1)).to(query.dtype)
    scores = scores / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: float32 hard-coded | the weights are made in a float32 tensor, so double inputs raise at the product
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min)
    weights = F.softmax(scores, dim=-1, dtype=torch.float32)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: detached weights | no gradient reaches query and key
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1).detach()
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: no gradient at all | the decorator for evaluation was left on
@torch.no_grad()
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: detached keys | keys are taken for constants, as a cache would hold them
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.detach().transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: weights as numpy | the returned weights are an array, not a tensor
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights.detach().cpu().numpy()

# %% wrong: gradient switched off for good | set_grad_enabled(False) is never undone
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    torch.set_grad_enabled(False)
    return output, weights

# %% wrong: seeded inside | the same dropout in every call, and everybody else's random numbers repeat
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    torch.manual_seed(42)  # reproducible
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: dropout forgotten | the argument is accepted and ignored
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    output = weights @ value
    return output, weights

# %% wrong: dropout on the output | it acts after the values are averaged
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    output = weights @ value
    if dropout is not None:
        output = dropout(output)
    return output, weights

# %% wrong: dropout on the scores | it acts before the softmax, where a 0 is not a weight of 0
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if dropout is not None:
        scores = dropout(scores)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    output = weights @ value
    return output, weights

# %% wrong: dropout on the values | whole features of values are dropped instead of weights
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        value = dropout(value)
    return weights @ value, weights

# %% wrong: dropout only in the returned weights | the product uses those from before
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    output = weights @ value
    if dropout is not None:
        weights = dropout(weights)
    return output, weights

# %% wrong: dropout result thrown away | called, but the result is not kept
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: renormalised after dropout | the kept weights are made to sum to 1 again
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
        weights = weights / weights.sum(dim=-1, keepdim=True).clamp_min(1e-9)
    return weights @ value, weights

# %% wrong: rate taken from the module | F.dropout with dropout.p drops in eval mode too, and a plain function has no p
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = F.dropout(weights, p=dropout.p)
    return weights @ value, weights

# %% wrong: own dropout instead of the given one | a new nn.Dropout is always in train mode with its own rate
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = nn.Dropout(0.1)(weights)
    return weights @ value, weights

# %% wrong: dropout without being asked | weights are dropped although dropout is None
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    if dropout is None:
        dropout = nn.Dropout(0.1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = dropout(scores.softmax(dim=-1))
    return weights @ value, weights

# %% wrong: dropout taken for a rate | a module is no float, so F.dropout raises
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = F.dropout(weights, dropout, training=True)
    output = weights @ value
    return output, weights

# %% wrong: dropout put into train mode | the module of the caller is switched from eval to train
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if isinstance(dropout, nn.Module):
        dropout.train()
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: dropout only for modules | a plain callable is silently ignored
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    if isinstance(dropout, nn.Dropout) and dropout.training:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights

# %% wrong: results swapped | returns the weights first
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return weights, output

# %% wrong: output only | one result instead of two
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    s = query @ key.mT * query.size(-1) ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    w = s.softmax(-1)
    return (w if dropout is None else dropout(w)) @ value

# %% wrong: scores returned as weights | the second result is from before the softmax
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    weights = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        weights = weights.masked_fill(~mask, torch.finfo(weights.dtype).min)
    attn = weights.softmax(dim=-1)
    if dropout is not None:
        attn = dropout(attn)
    output = attn @ value
    return output, weights

# %% wrong: weights averaged over heads | like nn.MultiheadAttention, the second result loses the head axis
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    if weights.dim() == 4:
        weights = weights.mean(dim=1)
    return output, weights

# %% wrong: heads already merged | for four axes the output comes back as (N, T_q, H, d_v)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    if output.dim() == 4:
        output = output.transpose(1, 2)
    return output, weights

# %% wrong: squeezed results | axes of size 1 vanish: a batch of one sentence loses its batch axis
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return (weights @ value).squeeze(), weights.squeeze()

# %% wrong: last block of queries dropped | works in blocks of four and forgets the rest, right for T_q divisible by 4
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    T_q, T_k, block = query.size(-2), key.size(-2), 4
    scores = torch.zeros(*query.shape[:-1], T_k, dtype=query.dtype, device=query.device)
    for i in range(T_q // block):
        rows = slice(i * block, (i + 1) * block)
        scores[..., rows, :] = query[..., rows, :] @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: streaming without rescaling | earlier blocks are not corrected when a larger maximum comes
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    query = query / math.sqrt(query.size(-1))
    low, block = torch.finfo(query.dtype).min, 2
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.size(-2))
    top = torch.full_like(query[..., :1], low)
    total, parts = torch.zeros_like(top), []
    for start in range(0, key.size(-2), block):
        s = query @ key[..., start : start + block, :].transpose(-2, -1)
        if mask is not None:
            s = s.masked_fill(~mask[..., start : start + block], low)
        top = torch.maximum(top, s.amax(-1, keepdim=True))
        parts.append((s - top).exp())
        total = total + parts[-1].sum(-1, keepdim=True)
    weights = torch.cat(parts, -1) / total
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: loop over queries counted by the keys | right for equal lengths, raises or cuts off otherwise
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    T = min(key.size(-2), query.size(-2))
    rows = []
    for i in range(T):
        s = (key * query[..., i : i + 1, :]).sum(-1) / math.sqrt(query.size(-1))
        if mask is not None:
            full = mask.expand(*query.shape[:-1], key.size(-2))
            s = s.masked_fill(~full[..., i, :], torch.finfo(s.dtype).min)
        rows.append(s.softmax(-1))
    weights = torch.stack(rows, -2)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: last key left out | the loop over the keys ends one too early and its score stays 0
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    T_k = key.size(-2)
    scores = query.new_zeros(*query.shape[:-1], T_k)
    for j in range(T_k - 1):
        scores[..., j] = (query * key[..., j : j + 1, :]).sum(-1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: weights cached by shape | calls without a mask return the weights of an earlier call
_seen = {}


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    name = (query.shape, key.shape)
    if mask is not None or name not in _seen:
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        if mask is None:
            _seen[name] = weights
    else:
        weights = _seen[name]
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: arguments renamed | mask and dropout cannot be given by name
def scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_layer=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout_layer is not None:
        weights = dropout_layer(weights)
    return weights @ v, weights

# %% wrong: dropout before mask | arguments in another order, right when given by name
def scaled_dot_product_attention(query, key, value, dropout=None, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: mask ignored when dropout is given | two cases that can come together are written as if and elif
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if dropout is not None:
        weights = dropout(scores.softmax(dim=-1))
    elif mask is not None:
        weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    else:
        weights = scores.softmax(dim=-1)
    return weights @ value, weights

# %% wrong: row kept only if all is visible | a query with any hidden key is switched off whole
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        keep = mask.all(dim=-1, keepdim=True)
        scores = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
