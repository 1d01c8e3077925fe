# %% right: notebook skeleton filled
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2).

    The weights of the last call, (N, H, T_q, T_k), stay in `weights`.
    Raises ValueError if d_model is not a multiple of num_heads.
    """

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% right: einsum from end to end
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model {d_model} is no multiple of num_heads {num_heads}")
        self.h, self.d_k = num_heads, d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        n = query.shape[0]
        q = self.w_q(query).reshape(n, -1, self.h, self.d_k)
        k = self.w_k(key).reshape(n, -1, self.h, self.d_k)
        v = self.w_v(value).reshape(n, -1, self.h, self.d_k)
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        self.weights = weights.detach()
        mixed = torch.einsum("nhqk,nkhd->nqhd", self.drop(weights), v)
        return self.w_o(mixed.reshape(n, -1, self.h * self.d_k))

# %% right: loop over the heads with slices
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_k = d_model // num_heads
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q_all = self.w_q(query)
        k_all = self.w_k(key)
        v_all = self.w_v(value)
        if mask is not None:
            full_shape = (query.size(0), self.num_heads, query.size(1), key.size(1))
            mask = mask.expand(full_shape)
        outputs = []
        all_weights = []
        for head in range(self.num_heads):
            start = head * self.d_k
            end = start + self.d_k
            head_mask = None
            if mask is not None:
                head_mask = mask[:, head]
            out, w = scaled_dot_product_attention(
                q_all[:, :, start:end],
                k_all[:, :, start:end],
                v_all[:, :, start:end],
                head_mask,
                self.dropout,
            )
            outputs.append(out)
            all_weights.append(w)
        self.weights = torch.stack(all_weights, dim=1).detach()
        concatenated = torch.cat(outputs, dim=-1)
        return self.w_o(concatenated)

# %% right: one small projection per head out of the large matrix
class MultiHeadAttention(nn.Module):
    """Literally the formula: head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)."""

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not fit {d_model} features")
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model) for _ in range(4)]
        self.dropout = nn.Dropout(p=dropout)
        self.weights = None

    @staticmethod
    def _pieces(linear, parts):
        return zip(linear.weight.chunk(parts, dim=0), linear.bias.chunk(parts, dim=0))

    def forward(self, query, key, value, mask=None):
        heads, seen = [], []
        h = self.num_heads
        rows = zip(self._pieces(self.w_q, h), self._pieces(self.w_k, h), self._pieces(self.w_v, h))
        for i, ((wq, bq), (wk, bk), (wv, bv)) in enumerate(rows):
            m = mask
            if m is not None and m.dim() >= 3:
                m = m[..., i, :, :] if m.size(-3) > 1 else m[..., 0, :, :]
            head, weights = scaled_dot_product_attention(
                F.linear(query, wq, bq), F.linear(key, wk, bk), F.linear(value, wv, bv), m, self.dropout
            )
            heads.append(head)
            seen.append(weights.detach())
        self.weights = torch.stack(seen, 1)
        return self.w_o(torch.cat(heads, -1))

# %% right: projections packed at call time for self-attention
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model ({d_model}) % num_heads ({num_heads}) must be 0")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def _project(self, query, key, value):
        if query is key and key is value:
            weight = torch.cat([self.w_q.weight, self.w_k.weight, self.w_v.weight])
            bias = torch.cat([self.w_q.bias, self.w_k.bias, self.w_v.bias])
            return F.linear(query, weight, bias).chunk(3, dim=-1)
        if key is value:
            weight = torch.cat([self.w_k.weight, self.w_v.weight])
            bias = torch.cat([self.w_k.bias, self.w_v.bias])
            k, v = F.linear(key, weight, bias).chunk(2, dim=-1)
            return self.w_q(query), k, v
        return self.w_q(query), self.w_k(key), self.w_v(value)

    def forward(self, query, key, value, mask=None):
        def cut(x):
            return x.reshape(x.size(0), x.size(1), self.num_heads, -1).transpose(1, 2)

        q, k, v = map(cut, self._project(query, key, value))
        heads, weights = scaled_dot_product_attention(q, k, v, mask=mask, dropout=self.dropout)
        self.weights = weights.detach()
        return self.w_o(heads.transpose(1, 2).flatten(2))

# %% right: annotated transformer style
def attention(query, key, value, mask=None, dropout=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        "Take in model size and number of heads."
        super(MultiHeadAttention, self).__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads != 0")
        # We assume d_v always equals d_k
        self.d_k = d_model // num_heads
        self.h = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.weights = None
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        # 1) Do all the linear projections in batch from d_model => h x d_k
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        # 2) Apply attention on all the projected vectors in batch.
        x, attn = attention(query, key, value, mask=mask, dropout=self.dropout)
        self.weights = attn.detach()
        # 3) "Concat" using a view and apply a final linear.
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.w_o(x)

# %% right: heads folded into the batch, bmm
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.scaling = self.head_dim**-0.5
        self.dropout = dropout
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_q = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def _shape(self, tensor):
        bsz, length, _ = tensor.shape
        tensor = tensor.view(bsz, length, self.num_heads, self.head_dim).transpose(1, 2)
        return tensor.reshape(bsz * self.num_heads, length, self.head_dim)

    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, dim = query.size()
        src_len = key.size(1)
        q = self._shape(self.w_q(query) * self.scaling)
        k = self._shape(self.w_k(key))
        v = self._shape(self.w_v(value))
        scores = torch.bmm(q, k.transpose(1, 2))
        if mask is not None:
            mask = mask.expand(bsz, self.num_heads, tgt_len, src_len).reshape(-1, tgt_len, src_len)
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        probs = F.softmax(scores, dim=-1)
        self.weights = probs.detach().view(bsz, self.num_heads, tgt_len, src_len)
        probs = F.dropout(probs, p=self.dropout, training=self.training)
        out = torch.bmm(probs, v).view(bsz, self.num_heads, tgt_len, self.head_dim)
        out = out.transpose(1, 2).reshape(bsz, tgt_len, dim)
        return self.w_o(out)

# %% right: softmax by hand with zeros for blind rows
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model // num_heads * num_heads != d_model:
            raise ValueError(f"cannot cut {d_model} features into {num_heads} equal heads")
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is None:
            mask = torch.ones(1, 1, 1, 1, dtype=torch.bool, device=scores.device)
        lowest = torch.finfo(scores.dtype).min
        top = torch.where(mask, scores, lowest).amax(-1, keepdim=True).detach()
        powers = torch.where(mask, scores - top, lowest).exp()
        powers = powers * mask
        total = powers.sum(-1, keepdim=True)
        weights = powers / torch.where(total > 0, total, torch.ones_like(total))
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% right: minus infinity and NaN taken out
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        quotient, rest = divmod(d_model, num_heads)
        if rest:
            raise ValueError(f"{d_model} / {num_heads} leaves a rest of {rest}")
        self.shape = (num_heads, quotient)
        for name in "qkvo":
            setattr(self, "w_" + name, nn.Linear(d_model, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            linear(x).unflatten(-1, self.shape).transpose(-3, -2)
            for linear, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        scores = torch.matmul(q, k.transpose(-1, -2)).div(math.sqrt(self.shape[1]))
        if mask is not None:
            scores = torch.where(mask, scores, float("-inf"))
        weights = torch.softmax(scores, -1)
        if mask is not None:
            weights = torch.where(mask, weights, 0.0)
        self.weights = weights.detach()
        return self.w_o(torch.matmul(self.dropout(weights), v).transpose(1, 2).flatten(2))

# %% right: functional dropout with the mode of the module
class MultiHeadAttention(nn.Module):
    weights = None

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model has to be a multiple of num_heads")
        self.num_heads = num_heads
        self.p = dropout
        self.w_q = nn.Linear(d_model, d_model, bias=True)
        self.w_k = nn.Linear(d_model, d_model, bias=True)
        self.w_v = nn.Linear(d_model, d_model, bias=True)
        self.w_o = nn.Linear(d_model, d_model, bias=True)

    def forward(self, query, key, value, mask=None):
        def drop(weights):
            return F.dropout(weights, p=self.p, training=self.training)

        heads, weights = scaled_dot_product_attention(
            split_heads(self.w_q(query), self.num_heads),
            split_heads(self.w_k(key), self.num_heads),
            split_heads(self.w_v(value), self.num_heads),
            mask,
            drop,
        )
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% right: helper modules inside the cell
class SplitHeads(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.heads = heads

    def forward(self, x):
        n, t, d = x.shape
        return x.reshape(n, t, self.heads, d // self.heads).permute(0, 2, 1, 3)


class MergeHeads(nn.Module):
    def forward(self, x):
        n, h, t, d = x.shape
        return x.permute(0, 2, 1, 3).reshape(n, t, h * d)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.split = SplitHeads(num_heads)
        self.merge = MergeHeads()
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = self.split(self.w_q(query))
        key = self.split(self.w_k(key))
        value = self.split(self.w_v(value))
        heads, self.weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = self.weights.detach()
        return self.w_o(self.merge(heads))

# %% right: projection is a subclass of Linear
class _HeadLinear(nn.Linear):
    """A linear layer whose output comes in heads."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, d_model)
        self.num_heads = num_heads

    def forward(self, x):
        y = super().forward(x)
        return y.view(*y.shape[:-1], self.num_heads, -1).transpose(-2, -3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        if d_model % num_heads != 0:
            raise ValueError(f"bad sizes {d_model}, {num_heads}")
        super().__init__()
        self.w_q = _HeadLinear(d_model, num_heads)
        self.w_k = _HeadLinear(d_model, num_heads)
        self.w_v = _HeadLinear(d_model, num_heads)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        heads, weights = scaled_dot_product_attention(
            self.w_q(query), self.w_k(key), self.w_v(value), mask=mask, dropout=self.dropout
        )
        with torch.no_grad():
            self.weights = weights.clone()
        return self.w_o(merge_heads(heads))

# %% right: functools.partial and map
import functools


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads > 0:
            raise ValueError("num_heads must divide d_model")
        square = functools.partial(nn.Linear, d_model, d_model)
        self.w_q, self.w_k, self.w_v, self.w_o = square(), square(), square(), square()
        self.dropout = nn.Dropout(dropout)
        self.split = functools.partial(split_heads, num_heads=num_heads)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        attend = functools.partial(scaled_dot_product_attention, mask=mask, dropout=self.dropout)
        projected = self.w_q(query), self.w_k(key), self.w_v(value)
        heads, weights = attend(*map(self.split, projected))
        self.weights = weights.detach()
        return functools.reduce(lambda x, f: f(x), (merge_heads, self.w_o), heads)

# %% right: unflatten and flatten, terse
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads: raise ValueError(f"{d_model=} % {num_heads=} is not 0")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in "qkvo")
        self.drop, self.weights = nn.Dropout(dropout), None

    def forward(self, query, key, value, mask=None):
        q, k, v = (w(x).unflatten(2, (self.h, -1)).transpose(1, 2) for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value)))
        y, w = scaled_dot_product_attention(q, k, v, mask, self.drop)
        self.weights = w.detach()
        return self.w_o(y.transpose(1, 2).flatten(2))

# %% right: chunk and stack instead of reshape
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("The number of features must be a multiple of the number of heads.")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def to_heads(self, x):
        return torch.stack(x.chunk(self.num_heads, dim=-1), dim=1)

    def from_heads(self, x):
        return torch.cat(x.unbind(dim=1), dim=-1)

    def forward(self, query, key, value, mask=None):
        query = self.to_heads(self.w_q(query))
        key = self.to_heads(self.w_k(key))
        value = self.to_heads(self.w_v(value))
        heads, weights = scaled_dot_product_attention(
            query=query, key=key, value=value, mask=mask, dropout=self.dropout
        )
        self.weights = weights.detach()
        return self.w_o(self.from_heads(heads))

# %% right: weights are a read-only property
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model}, num_heads={num_heads}: not a multiple")
        self._d_model = d_model
        self._heads = num_heads
        self._last = None
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    @property
    def weights(self):
        return self._last

    @property
    def d_k(self):
        return self._d_model // self._heads

    def forward(self, query, key, value, mask=None):
        n, t_q, _ = query.shape
        t_k = key.shape[1]
        q = self.w_q(query).view(n, t_q, self._heads, self.d_k).permute(0, 2, 1, 3)
        k = self.w_k(key).view(n, t_k, self._heads, self.d_k).permute(0, 2, 3, 1)
        v = self.w_v(value).view(n, t_k, self._heads, self.d_k).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) * self.d_k ** (-1 / 2)
        if mask is not None:
            scores = scores.masked_fill(torch.logical_not(mask), torch.finfo(scores.dtype).min)
        probabilities = nn.functional.softmax(scores, dim=3)
        self._last = probabilities.detach()
        found = torch.matmul(self.dropout(probabilities), v)
        return self.w_o(found.permute(0, 2, 1, 3).reshape(n, t_q, self._d_model))

# %% right: typed and defensive
from typing import Optional


class MultiHeadAttention(nn.Module):
    weights: Optional[torch.Tensor]

    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1) -> None:
        super().__init__()
        if num_heads < 1 or d_model < 1:
            raise ValueError("sizes must be positive")
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.d_model: int = d_model
        self.num_heads: int = num_heads
        self.w_q: nn.Linear = nn.Linear(d_model, d_model)
        self.w_k: nn.Linear = nn.Linear(d_model, d_model)
        self.w_v: nn.Linear = nn.Linear(d_model, d_model)
        self.w_o: nn.Linear = nn.Linear(d_model, d_model)
        self.dropout: nn.Dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(
        self,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        mask: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        for name, x in (("query", query), ("key", key), ("value", value)):
            if x.dim() != 3 or x.size(-1) != self.d_model:
                raise ValueError(f"{name} should be (N, T, {self.d_model}), got {tuple(x.shape)}")
        if key.size(1) != value.size(1):
            raise ValueError("key and value differ in length")
        if mask is not None and mask.dtype is not torch.bool:
            mask = mask != 0
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        assert weights.shape == (query.size(0), self.num_heads, query.size(1), key.size(1))
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        assert output.shape == query.shape
        return output

# %% right: beginner with loops over sentences and heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        remainder = d_model % num_heads
        if remainder != 0:
            raise ValueError("d_model cannot be divided by num_heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.size_of_head = int(d_model / num_heads)
        self.w_q = nn.Linear(in_features=d_model, out_features=d_model)
        self.w_k = nn.Linear(in_features=d_model, out_features=d_model)
        self.w_v = nn.Linear(in_features=d_model, out_features=d_model)
        self.w_o = nn.Linear(in_features=d_model, out_features=d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        number_of_sentences = query.shape[0]
        query_length = query.shape[1]
        key_length = key.shape[1]
        if mask is not None:
            mask = torch.broadcast_to(
                mask, (number_of_sentences, self.num_heads, query_length, key_length)
            )
        results = []
        weights_of_all = []
        for n in range(number_of_sentences):
            q = self.w_q(query[n])
            k = self.w_k(key[n])
            v = self.w_v(value[n])
            heads_of_sentence = []
            weights_of_sentence = []
            for h in range(self.num_heads):
                first = h * self.size_of_head
                last = (h + 1) * self.size_of_head
                mask_here = None if mask is None else mask[n, h]
                one_head, one_weights = scaled_dot_product_attention(
                    q[:, first:last], k[:, first:last], v[:, first:last], mask_here, self.dropout
                )
                heads_of_sentence.append(one_head)
                weights_of_sentence.append(one_weights)
            together = torch.cat(heads_of_sentence, dim=1)
            results.append(self.w_o(together))
            weights_of_all.append(torch.stack(weights_of_sentence))
        self.weights = torch.stack(weights_of_all).detach()
        return torch.stack(results)

# %% right: heads first layout
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads != 0")
        self.h = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        n, t_q, d = query.shape
        t_k = key.shape[1]
        # (H, N, T, d_k)
        q = self.w_q(query).view(n, t_q, self.h, d // self.h).permute(2, 0, 1, 3)
        k = self.w_k(key).view(n, t_k, self.h, d // self.h).permute(2, 0, 1, 3)
        v = self.w_v(value).view(n, t_k, self.h, d // self.h).permute(2, 0, 1, 3)
        if mask is not None:
            mask = mask.expand(n, self.h, t_q, t_k).transpose(0, 1)
        found, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.transpose(0, 1).detach()
        return self.w_o(found.permute(1, 2, 0, 3).reshape(n, t_q, d))

# %% right: additive bias of minus infinity, softmax in place on own tensors
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} must be a multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout, inplace=False)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q.matmul(k.transpose(-2, -1))
        scores.mul_(q.size(-1) ** -0.5)
        if mask is not None:
            bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
            bias.masked_fill_(~mask, torch.finfo(scores.dtype).min)
            blind = ~mask.any(-1, keepdim=True)
            bias.masked_fill_(blind, 0.0)
            scores.add_(bias)
        scores.sub_(scores.detach().amax(-1, keepdim=True))
        weights = scores.exp()
        weights = weights / weights.sum(-1, keepdim=True)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% right: keys projected as columns
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        n, t_q, d = query.shape
        t_k = key.shape[1]
        h = self.num_heads
        # W x^T: every tensor is (N, D, T) here, as for a convolution of width 1
        q, k, v = (
            (w.weight @ x.mT + w.bias[:, None]).reshape(n, h, d // h, x.shape[1])
            for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        scores = q.mT @ k / math.sqrt(d // h)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        self.weights = weights.detach()
        columns = v @ self.dropout(weights).mT  # (N, H, d_k, T_q)
        columns = columns.reshape(n, d, t_q)
        return (self.w_o.weight @ columns).mT + self.w_o.bias

# %% right: output projection as a sum over heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} not divisible by {num_heads}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_o = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_q = nn.Linear(d_model, d_model)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        heads, weights = scaled_dot_product_attention(
            split_heads(self.w_q(query), self.num_heads),
            split_heads(self.w_k(key), self.num_heads),
            split_heads(self.w_v(value), self.num_heads),
            mask=mask,
            dropout=self.attn_drop,
        )
        self.weights = weights.detach()
        w_o = self.w_o.weight.view(-1, self.num_heads, self.d_k)
        return torch.einsum("nhtd,ohd->nto", heads, w_o) + self.w_o.bias

# %% right: query carried into the space of the keys
class MultiHeadAttention(nn.Module):
    """Never projects the keys: (q . (W_k x + b_k)) = (W_k^T q) . x + q . b_k."""

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
        self.h = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.h)
        matrix = self.w_k.weight.view(self.h, self.d_k, -1)
        bias = self.w_k.bias.view(self.h, self.d_k)
        carried = torch.einsum("nhqd,hdm->nhqm", q, matrix)
        scores = torch.einsum("nhqm,nkm->nhqk", carried, key)
        scores = scores + torch.einsum("nhqd,hd->nhq", q, bias)[..., None]
        scores = scores / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        self.weights = weights.detach()
        v = split_heads(self.w_v(value), self.h)
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% right: Xavier at construction
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model {d_model} must be divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
        self.reset_parameters()

    def reset_parameters(self):
        for linear in (self.w_q, self.w_k, self.w_v, self.w_o):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, query, key, value, mask=None):
        query, key, value = self.w_q(query), self.w_k(key), self.w_v(value)
        query, key, value = (split_heads(x, self.num_heads) for x in (query, key, value))
        output, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(output))

# %% right: vmap over the heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.p = dropout
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        n, t_q, _ = query.shape
        t_k = key.shape[1]
        if mask is None:
            mask = torch.ones(1, 1, 1, 1, dtype=torch.bool, device=query.device)
        mask = mask.expand(n, self.num_heads, t_q, t_k)

        def one_head(q, k, v, seen):
            scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
            scores = torch.where(seen, scores, torch.finfo(scores.dtype).min)
            weights = torch.softmax(scores, -1)
            return F.dropout(weights, self.p, self.training) @ v, weights

        all_heads = torch.vmap(one_head, in_dims=1, out_dims=1, randomness="different")
        heads, weights = all_heads(
            split_heads(self.w_q(query), self.num_heads),
            split_heads(self.w_k(key), self.num_heads),
            split_heads(self.w_v(value), self.num_heads),
            mask,
        )
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% right: key and value may be left out
class MultiHeadAttention(nn.Module):
    """Supports more than asked: `mha(x)` is self-attention, and need_weights can be switched off."""

    def __init__(self, d_model, num_heads, dropout=0.1, *, keep_weights=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"got d_model={d_model}, num_heads={num_heads}, not a multiple")
        self.num_heads = num_heads
        self.keep_weights = keep_weights
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout) if dropout > 0 else None
        self.weights = None

    def extra_repr(self):
        return f"num_heads={self.num_heads}"

    def forward(self, query, key=None, value=None, mask=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        if self.keep_weights:
            self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% right: weights kept with their graph
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model should be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        x, self.weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        return self.w_o(merge_heads(x))

# %% wrong: heads by view alone | view straight to (N, H, T, d_k) mixes words and heads
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"got d_model={d_model} and num_heads={num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        n, t_q, d = query.shape
        t_k = key.size(1)
        query = self.w_q(query).view(n, self.num_heads, t_q, d // self.num_heads)
        key = self.w_k(key).view(n, self.num_heads, t_k, d // self.num_heads)
        value = self.w_v(value).view(n, self.num_heads, t_k, d // self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(heads.reshape(n, t_q, d))
        return output

# %% wrong: merged without swapping back | the heads are reshaped to (N, T_q, D) without the transpose
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        n, h, t, d_k = heads.shape
        output = self.w_o(heads.reshape(n, t, h * d_k))
        return output

# %% wrong: no output projection | w_o is made but never used
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = merge_heads(heads)
        return output

# %% wrong: keys through w_q | copied line, w_k is never used
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_q(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: values made from the keys | value argument is ignored, right only where key is value
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("bad number of heads")
        self.h = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        memory = key
        q = split_heads(self.w_q(query), self.h)
        k, v = (split_heads(w(memory), self.h) for w in (self.w_k, self.w_v))
        out, w = scaled_dot_product_attention(q, k, v, mask, self.drop)
        self.weights = w.detach()
        return self.w_o(merge_heads(out))

# %% wrong: key overwritten before value is projected | value = w_v(projected key), the variable name was reused
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        x = self.w_q(query)
        query = split_heads(x, self.num_heads)
        x = self.w_k(key)
        key = split_heads(x, self.num_heads)
        x = self.w_v(x)
        value = split_heads(x, self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: self-attention only | keys are projected from the query, cross-attention is lost
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("no multiple")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        x = query
        q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        y, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(y))

# %% wrong: mask not handed on | the mask argument is ignored
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, dropout=self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: dropout not handed on | the weights are never dropped
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: dropout on the output | dropped after w_o instead of on the weights
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask)
        self.weights = weights.detach()
        output = self.dropout(self.w_o(merge_heads(heads)))
        return output

# %% wrong: dropout on weights and output | the residual dropout of minGPT is applied as well
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("n_embd % n_head must be 0")
        self.n_head = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.attn_drop = nn.Dropout(dropout)
        self.resid_drop = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        k = self.w_k(key).view(B, S, self.n_head, C // self.n_head).transpose(1, 2)
        q = self.w_q(query).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            att = att.masked_fill(~mask, torch.finfo(att.dtype).min)
        att = F.softmax(att, dim=-1)
        self.weights = att.detach()
        y = self.attn_drop(att) @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.resid_drop(self.w_o(y))

# %% wrong: dropout on the scores | dropped before the softmax, so a dropped key gets weight, not zero
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be a multiple of num_heads")
        self.h, self.d_k = num_heads, d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (self.h, self.d_k)).transpose(1, 2)
            for w, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        )
        scores = self.dropout(q @ k.mT / self.d_k**0.5)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        self.weights = weights.detach()
        return self.w_o((weights @ v).transpose(1, 2).flatten(2))

# %% wrong: dropout on the values | the values are dropped, not the weights
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = self.dropout(split_heads(self.w_v(value), self.num_heads))
        heads, weights = scaled_dot_product_attention(query, key, value, mask)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: one dropout draw for all heads | the kept keys are drawn once per query and shared by the heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.p = dropout
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def drop(w):
            if not self.training:
                return w
            return w * F.dropout(torch.ones_like(w[:, :1]), self.p)

        heads, weights = scaled_dot_product_attention(
            split_heads(self.w_q(query), self.num_heads),
            split_heads(self.w_k(key), self.num_heads),
            split_heads(self.w_v(value), self.num_heads),
            mask,
            drop,
        )
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: dropout without the rescale | a Bernoulli mask is multiplied, 1 / (1 - p) is forgotten
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.rate = dropout
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def drop(self, w):
        if self.training and self.rate > 0:
            keep = torch.rand_like(w) >= self.rate
            w = w * keep
        return w

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.drop)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: weights renormalised after dropout | the kept weights are divided by their sum
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def drop(w):
            w = self.dropout(w)
            return w / w.sum(dim=-1, keepdim=True).clamp(min=1e-9)

        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, drop)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: functional dropout always on | F.dropout without training=self.training drops in eval mode, too
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = dropout
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(
            query, key, value, mask, lambda w: F.dropout(w, self.dropout)
        )
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: dropout made anew in forward | a fresh nn.Dropout is always in training mode
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads, self.p = num_heads, dropout
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        n, t, d = query.shape
        q = self.w_q(query).view(n, t, self.num_heads, -1).transpose(1, 2)
        k = self.w_k(key).view(n, key.size(1), self.num_heads, -1).transpose(1, 2)
        v = self.w_v(value).view(n, value.size(1), self.num_heads, -1).transpose(1, 2)
        out, w = scaled_dot_product_attention(q, k, v, mask, nn.Dropout(self.p))
        self.weights = w.detach()
        return self.w_o(out.transpose(1, 2).reshape(n, t, d))

# %% wrong: dropout rate as keep probability | nn.Dropout(1 - dropout), as in the first TensorFlow
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(1.0 - dropout if dropout else 0.0)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = [split_heads(x, self.num_heads) for x in (q, k, v)]
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: dropout argument ignored | nn.Dropout(0.1) whatever is asked for
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(0.1)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: default dropout is zero | the signature says 0.1
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("num_heads has to divide d_model")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: mask and dropout exchanged | positional arguments in the wrong order, a module is taken for a mask
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, self.dropout, mask)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: the two results exchanged | weights, heads = attention(...); the weights are merged
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        weights, heads = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: not split at all | a single head of D features, the number of heads only decides about the error
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = self.w_q(query).unsqueeze(1)
        key = self.w_k(key).unsqueeze(1)
        value = self.w_v(value).unsqueeze(1)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach().repeat(1, self.num_heads, 1, 1)[:, : self.num_heads]
        output = self.w_o(heads[:, 0])
        return output

# %% wrong: heads interleaved | the features are cut as (d_k, H), consistently, so every shape fits
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.h = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        n, t, d = query.shape
        cut = lambda x: x.view(n, -1, d // self.h, self.h).permute(0, 3, 1, 2)
        q, k, v = cut(self.w_q(query)), cut(self.w_k(key)), cut(self.w_v(value))
        out, w = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = w.detach()
        return self.w_o(out.permute(0, 2, 3, 1).reshape(n, t, d))

# %% wrong: merged in the other order of features | permute(0, 2, 3, 1) lays the features, not the heads, side by side
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(heads.permute(0, 2, 3, 1).flatten(2))

# %% wrong: split by num_heads as a size | torch.split takes the size of a piece, right only where H equals d_k
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query, key, value = (
            torch.stack(torch.split(x, self.num_heads, dim=-1), dim=1)
            for x in (self.w_q(query), self.w_k(key), self.w_v(value))
        )
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(torch.cat(heads.unbind(1), dim=-1))

# %% wrong: scaled twice | the query is divided by sqrt(d_k) before a function that divides, too
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        query = query / math.sqrt(query.size(-1))
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: scaled by sqrt of d_model | the root of D is taken instead of that of d_k
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.scale = d_model**-0.5
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        dots = torch.einsum("bhid,bhjd->bhij", q, k) * self.scale
        if mask is not None:
            dots.masked_fill_(~mask, torch.finfo(dots.dtype).min)
        attn = dots.softmax(dim=-1)
        self.weights = attn.detach()
        out = torch.einsum("bhij,bhjd->bhid", self.dropout(attn), v)
        return self.w_o(merge_heads(out))

# %% wrong: no scale at all | own attention without the division by sqrt(d_k)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        N = query.shape[0]
        q = self.w_q(query).reshape(N, query.shape[1], self.num_heads, -1)
        k = self.w_k(key).reshape(N, key.shape[1], self.num_heads, -1)
        v = self.w_v(value).reshape(N, value.shape[1], self.num_heads, -1)
        energy = torch.einsum("nqhd,nkhd->nhqk", [q, k])
        if mask is not None:
            energy = energy.masked_fill(mask == 0, torch.finfo(energy.dtype).min)
        attention = torch.softmax(energy, dim=3)
        self.weights = attention.detach()
        out = torch.einsum("nhql,nlhd->nqhd", [self.dropout(attention), v])
        return self.w_o(out.reshape(N, query.shape[1], -1))

# %% wrong: softmax over the queries | normalised along T_q instead of T_k
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=2)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: softmax over the heads | dim=1 of (N, H, T_q, T_k) is the axis of the heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.softmax = nn.Softmax(dim=1)
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        weights = self.softmax(scores)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: mask taken the other way round | as in nn.MultiheadAttention, True is hidden
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        if mask is not None:
            mask = ~mask  # True means hidden
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: minus infinity gives NaN | a row that sees no key becomes NaN
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: tiny positive fill | masked_fill with 1e-9 where -1e9 was meant
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def attend(self, q, k, v, mask):
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, 1e-9)
        p = scores.softmax(dim=-1)
        return torch.matmul(self.dropout(p), v), p

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            split_heads(lin(x), self.num_heads)
            for lin, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        x, p = self.attend(q, k, v, mask)
        self.weights = p.detach()
        return self.w_o(merge_heads(x))

# %% wrong: mask multiplied after the softmax | hidden weights are zeroed, the others no longer sum to 1
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        _, weights = scaled_dot_product_attention(query, key, value)
        if mask is not None:
            weights = weights * mask
        self.weights = weights.detach()
        heads = self.dropout(weights) @ value
        return self.w_o(merge_heads(heads))

# %% wrong: boolean mask added to the scores | a mask of True and False is added as 1 and 0
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.h = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q, k, v = (split_heads(w(x), self.h) for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value)))
        scores = q @ k.mT * q.size(-1) ** -0.5
        if mask is not None:
            scores = scores + mask
        weights = torch.softmax(scores, dim=-1)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: mask of the first sentence for all | mask[0], right only where every sentence is padded alike
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        if mask is not None and mask.dim() == 4:
            mask = mask[0]
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: one more axis for the mask | unsqueeze(1) for masks without an axis of heads, but theirs have one
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % h != 0")
        self.d_k = d_model // num_heads
        self.h = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            # Same mask applied to all h heads.
            mask = mask.unsqueeze(1)
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        x, attn = scaled_dot_product_attention(query, key, value, mask=mask, dropout=self.dropout)
        self.weights = attn.detach()
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.w_o(x)

# %% wrong: three axes taken for a batch of masks | (H, T_q, T_k) is broadcast as (N, 1, T_q, T_k)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        out, w = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = w.detach()
        return self.w_o(merge_heads(out))

# %% wrong: one mask for all heads | only the first head of the mask is used
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        n, t_q, d = query.shape
        t_k = key.size(1)
        d_k = d // self.num_heads
        if mask is not None:
            mask = mask.expand(n, mask.size(1) if mask.dim() == 4 else 1, t_q, t_k)[:, 0]
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        outs, ws = [], []
        for i in range(self.num_heads):
            s = slice(i * d_k, (i + 1) * d_k)
            o, w = scaled_dot_product_attention(q[..., s], k[..., s], v[..., s], mask, self.dropout)
            outs.append(o)
            ws.append(w)
        self.weights = torch.stack(ws, 1).detach()
        return self.w_o(torch.cat(outs, -1))

# %% wrong: mask applied to the queries | the mask is transposed, padding asks nothing but is still seen
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = k @ q.mT / math.sqrt(q.size(-1))  # (N, H, T_k, T_q)
        if mask is not None and scores.size(-1) == scores.size(-2):
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        elif mask is not None:
            scores = scores.masked_fill(~mask.mT, torch.finfo(scores.dtype).min)
        weights = scores.mT.softmax(-1)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: mask repeated in the order of another fold | heads fold as (H, N), the mask as (N, H)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        n, t_q, _ = query.shape
        t_k = key.size(1)
        h = self.num_heads
        fold = lambda x: torch.cat(x.chunk(h, dim=-1), dim=0)  # (H * N, T, d_k)
        q, k, v = fold(self.w_q(query)), fold(self.w_k(key)), fold(self.w_v(value))
        if mask is not None:
            mask = mask.expand(n, h, t_q, t_k).reshape(n * h, t_q, t_k)
        out, w = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = w.view(h, n, t_q, t_k).transpose(0, 1).detach()
        return self.w_o(torch.cat(out.chunk(h, dim=0), dim=-1))

# %% wrong: weights unfolded in the wrong order | output right, but weights are viewed (N, H) where they lie as (H, N)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        n, t_q, _ = query.shape
        t_k = key.size(1)
        h = self.num_heads
        fold = lambda x: torch.cat(x.chunk(h, dim=-1), dim=0)
        q, k, v = fold(self.w_q(query)), fold(self.w_k(key)), fold(self.w_v(value))
        if mask is not None:
            mask = mask.expand(n, h, t_q, t_k).transpose(0, 1).reshape(h * n, t_q, t_k)
        out, w = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = w.detach().reshape(n, h, t_q, t_k)
        return self.w_o(torch.cat(out.chunk(h, dim=0), dim=-1))

# %% wrong: no check of the sizes | d_model // num_heads is rounded, no ValueError
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: assert instead of ValueError | the wrong exception for sizes that do not fit
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        assert d_model % num_heads == 0, "d_model must be a multiple of num_heads"
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        heads, weights = scaled_dot_product_attention(
            *(split_heads(x, self.num_heads) for x in (q, k, v)), mask, self.dropout
        )
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: sizes checked in forward only | the constructor accepts sizes that do not fit
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.d_model, self.num_heads = d_model, num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        if self.d_model % self.num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: one head refused | the check raises for num_heads=1, too
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if num_heads < 2:
            raise ValueError("multi-head attention needs several heads")
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: check refuses heads of one feature | d_k = 1 is a multiple as well
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0 or num_heads >= d_model:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        def heads_of(linear, x):
            return split_heads(linear(x), self.num_heads)

        y, w = scaled_dot_product_attention(
            heads_of(self.w_q, query), heads_of(self.w_k, key), heads_of(self.w_v, value), mask, self.drop
        )
        self.weights = w.detach()
        return self.w_o(merge_heads(y))

# %% wrong: projections without bias | bias=False, as the formula has none, but the contract has
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, d_model, bias=False)
        self.w_v = nn.Linear(d_model, d_model, bias=False)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: biases left out by F.linear | the matrices are packed at call time, their biases forgotten
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(F.linear(query, self.w_q.weight), self.num_heads)
        k = split_heads(F.linear(key, self.w_k.weight), self.num_heads)
        v = split_heads(F.linear(value, self.w_v.weight), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return F.linear(merge_heads(heads), self.w_o.weight)

# %% wrong: matrices not transposed | x @ weight instead of x @ weight.T
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        def project(x, w):
            return split_heads(x @ w.weight + w.bias, self.num_heads)

        q, k, v = project(query, self.w_q), project(key, self.w_k), project(value, self.w_v)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return merge_heads(heads) @ self.w_o.weight + self.w_o.bias

# %% wrong: one projection under three names | a chained assignment shares one Linear between w_q, w_k and w_v
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = self.w_k = self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: packed copy made in the constructor | the copy goes stale as soon as weights are loaded or trained
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        parts = (self.w_q, self.w_k, self.w_v)
        self._weight = torch.cat([p.weight for p in parts]).detach()
        self._bias = torch.cat([p.bias for p in parts]).detach()

    def forward(self, query, key, value, mask=None):
        if query is key and key is value:
            q, k, v = F.linear(query, self._weight, self._bias).chunk(3, -1)
        else:
            q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = (split_heads(x, self.num_heads) for x in (q, k, v))
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: same shape taken for same tensor | the packed path is chosen where query and key merely have one shape
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        if query.shape == key.shape == value.shape:
            # self-attention: one big product
            weight = torch.cat((self.w_q.weight, self.w_k.weight, self.w_v.weight))
            bias = torch.cat((self.w_q.bias, self.w_k.bias, self.w_v.bias))
            q, k, v = F.linear(query, weight, bias).chunk(3, dim=-1)
        else:
            q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = (split_heads(x, self.num_heads) for x in (q, k, v))
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: ReLU after the projections | as in a well-known early TensorFlow port
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(F.relu(self.w_q(query)), self.num_heads)
        k = split_heads(F.relu(self.w_k(key)), self.num_heads)
        v = split_heads(F.relu(self.w_v(value)), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: residual added inside | returns query + attention, the next lesson's job
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        residual = query
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads)) + residual

# %% wrong: weights never kept | self.weights stays None
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: weights kept in eval mode only | after a call in training mode they are those of an earlier call
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            split_heads(w(x), self.num_heads)
            for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        if not self.training:
            self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: weights of the first call for ever | kept only while they are None
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        if self.weights is None:
            self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: weights averaged over the heads | as nn.MultiheadAttention returns them by default
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.mean(dim=1).detach()
        return self.w_o(merge_heads(heads))

# %% wrong: weights of all calls in a list | a history that grows instead of the last weights
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = []

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights.append(weights.detach())
        return self.w_o(merge_heads(heads))

# %% wrong: weights kept on the class | all modules of a model show the weights of the one called last
class MultiHeadAttention(nn.Module):
    weights = None

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        MultiHeadAttention.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: scores kept as weights | self.weights holds what went into the softmax
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        weights = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            weights = weights.masked_fill(~mask, torch.finfo(weights.dtype).min)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights.softmax(-1)) @ v))

# %% wrong: returns a pair | output and weights, as nn.MultiheadAttention does
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output, self.weights

# %% wrong: time first | tensors are read as (T, N, D), as old PyTorch modules expect them
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        t, n, d = query.shape
        q, k, v = (
            w(x).unflatten(-1, (self.num_heads, -1)).permute(1, 2, 0, 3)
            for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        out, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(out.permute(2, 0, 1, 3).reshape(t, n, d))

# %% wrong: argument order of the TensorFlow tutorial | forward(value, key, query, mask)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, value, key, query, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: key and value exchanged in the call | attention(query, value, key): invisible where key is value and the weights are alike
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, value, key, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: mask known by another name | attn_mask: works only if it is given by position
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, attn_mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, attn_mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: mask kept from an earlier call | cached by shape, so a later mask of the same shape is ignored
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self._masks = {}

    def forward(self, query, key, value, mask=None):
        shape = (query.size(0), query.size(1), key.size(1))
        if mask is not None:
            mask = self._masks.setdefault(shape + tuple(mask.shape), mask)
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: keys and values of the memory cached | in eval mode they are reused while the shape is the same
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self._cache = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        if self.training or query is key or self._cache is None or self._cache[0] != key.shape:
            k = split_heads(self.w_k(key), self.num_heads)
            v = split_heads(self.w_v(value), self.num_heads)
            self._cache = (key.shape, k, v)
        else:
            _, k, v = self._cache  # cross-attention: the memory does not change while decoding
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: detached too early | the weights lose their graph before they multiply the values
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        _, weights = scaled_dot_product_attention(query, key, value, mask)
        self.weights = weights.detach()
        heads = self.dropout(self.weights) @ value
        return self.w_o(merge_heads(heads))

# %% wrong: keys and values without gradient | the memory is detached, so an encoder would never learn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        if key is not query:
            key, value = key.detach(), value.detach()
        q, k, v = (
            split_heads(w(x), self.num_heads)
            for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: attention under no_grad | everything before the last projection stays untrained
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    @torch.no_grad()
    def _attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q, k, v, mask, self.dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, self.weights = self._attend(q, k, v, mask)
        return self.w_o(merge_heads(heads))

# %% wrong: gradients switched by the mode | set_grad_enabled(self.training) outlives the call
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        torch.set_grad_enabled(self.training)
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: seed set in forward | the same weights are dropped in every call, and all random numbers repeat
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        torch.manual_seed(42)  # reproducible
        heads, weights = scaled_dot_product_attention(
            split_heads(self.w_q(query), self.num_heads),
            split_heads(self.w_k(key), self.num_heads),
            split_heads(self.w_v(value), self.num_heads),
            mask,
            self.dropout,
        )
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: padding zeroed in the caller's tensor | the key is changed in place, which the caller sees
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        hidden_everywhere = None
        if mask is not None and mask.dim() == 4 and mask.size(1) == mask.size(2) == 1:
            hidden_everywhere = ~mask[:, 0, 0, :, None].expand_as(key[..., :1])
            with torch.no_grad():
                key.masked_fill_(hidden_everywhere, 0.0)  # padding must not leak
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: mask repaired in place | blind rows are opened in the caller's mask
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            hidden = mask.logical_not_()
            scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: always causal | a look-ahead mask is added although nobody asked
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        t_q, t_k = query.size(1), key.size(1)
        causal = torch.ones(t_q, t_k, dtype=torch.bool, device=query.device).tril()
        mask = causal if mask is None else mask & causal
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: length of the queries for the keys | view with T_q for all three, right only for equal lengths
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        n, t, d = query.size()
        q = self.w_q(query).view(n, t, self.num_heads, self.d_k).transpose(1, 2)
        k = self.w_k(key).view(n, t, self.num_heads, self.d_k).transpose(1, 2)
        v = self.w_v(value).view(n, t, self.num_heads, self.d_k).transpose(1, 2)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(heads.transpose(1, 2).contiguous().view(n, t, d))

# %% wrong: squeezed output | squeeze() removes the batch axis of a single sentence, and the time of one word
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        outs, ws = [], []
        for q, k, v, w_o in zip(
            self.w_q(query).chunk(self.num_heads, -1),
            self.w_k(key).chunk(self.num_heads, -1),
            self.w_v(value).chunk(self.num_heads, -1),
            self.w_o.weight.chunk(self.num_heads, 1),
        ):
            m = mask
            if m is not None and m.dim() > 2:
                m = m.expand(*m.shape[:-3], self.num_heads, *m.shape[-2:])[..., len(ws), :, :]
            o, w = scaled_dot_product_attention(q, k, v, m, self.dropout)
            outs.append(o @ w_o.T)
            ws.append(w)
        self.weights = torch.stack(ws, dim=1).detach()
        return (torch.stack(outs).sum(0) + self.w_o.bias).squeeze()

# %% wrong: bias of w_o added once per head | each head goes through w_o with its bias, then they are summed
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        output = 0
        for head, part in zip(heads.unbind(1), self.w_o.weight.chunk(self.num_heads, dim=1)):
            output = output + F.linear(head, part, self.w_o.bias)
        return output

# %% wrong: view after transpose | contiguous() is missing, so merging fails
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        n, t, d = query.shape
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(heads.transpose(1, 2).view(n, t, d))

# %% wrong: split before the projection | w_q gets d_k features where it expects D
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("MultiHeadAttention needs d_model to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = self.w_q(split_heads(query, self.num_heads))
        key = self.w_k(split_heads(key, self.num_heads))
        value = self.w_v(split_heads(value, self.num_heads))
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: truth value of a tensor | `if mask:` fails for every mask of more than one number
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if mask:
            scores = scores.masked_fill(~mask, -1e9)
        weights = scores.softmax(-1)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: attention in half precision | queries, keys and values go through bfloat16, three digits are left
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads).bfloat16()
        k = split_heads(self.w_k(key), self.num_heads).bfloat16()
        v = split_heads(self.w_v(value), self.num_heads).bfloat16()
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach().to(query.dtype)
        return self.w_o(merge_heads(heads).to(query.dtype))

# %% wrong: weights forced to float32 | the attention of a double module is computed in single precision
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            split_heads(w(x), self.num_heads)
            for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1, dtype=torch.float32)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: softmax without its maximum | exp of the raw scores overflows where scores are large
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        powers = torch.exp(q @ k.mT / math.sqrt(q.size(-1)))
        if mask is not None:
            powers = powers * mask
        weights = powers / (powers.sum(-1, keepdim=True) + 1e-30)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: epsilon in the denominator | 1e-3 is added to the sum of the softmax, so weights do not sum to 1
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        powers = (scores - scores.amax(-1, keepdim=True).detach()).exp()
        if mask is not None:
            powers = powers * mask
        weights = powers / (powers.sum(-1, keepdim=True) + 1e-3)
        self.weights = weights.detach()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: projections drawn anew in forward | the output projection is made at every call and never trained
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.d_model = d_model
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        self.w_o = nn.Linear(self.d_model, self.d_model)
        return self.w_o(merge_heads(heads))

# %% wrong: projections in a plain list | a Python list beside properties hides the parameters from the module
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.linears = [nn.Linear(d_model, d_model) for _ in range(4)]
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    w_q = property(lambda self: self.linears[0])
    w_k = property(lambda self: self.linears[1])
    w_v = property(lambda self: self.linears[2])
    w_o = property(lambda self: self.linears[3])

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: heads drawn as whole | dropout falls on entire heads of a query, not on single weights
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout2d(dropout)  # (N, H, T_q, T_k) has four axes
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: mask skipped in training | the mask is only used in eval mode
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            split_heads(w(x), self.num_heads)
            for w, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        if self.training:
            heads, weights = scaled_dot_product_attention(q, k, v, dropout=self.dropout)
        else:
            heads, weights = scaled_dot_product_attention(q, k, v, mask)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: fused kernel drops in eval mode | dropout_p of F.scaled_dot_product_attention knows nothing of the mode
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.p = dropout
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=self.p)
        with torch.no_grad():
            self.weights = scaled_dot_product_attention(q, k, v, mask)[1]
        return self.w_o(merge_heads(heads))

# %% wrong: any mask taken for a causal one | is_causal=mask is not None, so padding is never hidden
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.p = dropout
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads = F.scaled_dot_product_attention(
            q, k, v, dropout_p=self.p if self.training else 0.0, is_causal=mask is not None
        )
        self.weights = scaled_dot_product_attention(q, k, v, mask)[1].detach()
        return self.w_o(merge_heads(heads))

# %% wrong: dropout in place | nn.Dropout(inplace=True) overwrites the softmax that its own backward pass needs
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout, inplace=True)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        self.weights = weights.detach().clone()
        return self.w_o(merge_heads(self.dropout(weights) @ v))

# %% wrong: no mask for a single query | "one word at a time needs no mask", but the padding of the memory does
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        if query.size(1) == 1:
            mask = None  # decoding: there is no future to hide
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))
