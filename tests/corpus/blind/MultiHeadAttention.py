# %% right: one small projection per head out of the large matrix
class MultiHeadAttention(nn.Module):
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
# %% wrong: heads by view alone | view straight to (N, H, T, d_k) mixes words and heads
class MultiHeadAttention(nn.Module):
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
