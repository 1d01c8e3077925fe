# %% wrong: annotated-view-alone | The heads are made by `view(N, H, -1, d_k)` alone, without the view to (N, T, H, d_k) and the transpose of axes 1 and 2. Each head then gets a stretch of the sentence (and all features of it in pieces) instead of its share of the features of every word; undoing it the same way makes the shapes fit.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.d_k = d_model // num_heads
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, self.num_heads, -1, self.d_k)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        x, attn = scaled_dot_product_attention(query, key, value, mask=mask, dropout=self.dropout)
        self.weights = attn.detach()
        x = x.contiguous().view(nbatches, -1, self.num_heads * self.d_k)
        return self.w_o(x)

# %% wrong: merged-without-swap | The heads are cut rightly, but put together with a reshape of (N, H, T_q, d_k) to (N, T_q, D) without swapping axes 1 and 2 back first. Rows of the result mix several words of one head, instead of laying the heads of one word side by side.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        batch, rows, width = query.shape
        def cut(project, x):
            return project(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        q, k, v = cut(self.w_q, query), cut(self.w_k, key), cut(self.w_v, value)
        found, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(found.reshape(batch, rows, width))

# %% wrong: scale-of-whole-width | The scores are divided by the root of d_model instead of the root of d_k = d_model / num_heads, the size of the vectors whose dot products they are. The softmax is too flat, by a factor of the root of num_heads in the scores.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.scale = d_model**-0.5
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        h = self.num_heads
        q, k, v = (
            t.reshape(t.size(0), t.size(1), h, -1).permute(0, 2, 1, 3)
            for t in (self.w_q(query), self.w_k(key), self.w_v(value))
        )
        dots = torch.einsum("b h i d, b h j d -> b h i j", q, k) * self.scale
        if mask is not None:
            dots = dots.masked_fill(~mask, -torch.finfo(dots.dtype).max)
        attn = dots.softmax(dim=-1)
        self.weights = attn.detach()
        out = torch.einsum("b h i j, b h j d -> b h i d", self.dropout(attn), v)
        out = out.permute(0, 2, 1, 3).flatten(2)
        return self.w_o(out)

# %% wrong: softmax-over-heads | The scores are laid out as (N, T_q, T_k, H), and the softmax is taken over the last axis, which is that of the heads and not that of the keys. For each pair of query and key the weights sum to 1 over the heads; over the keys they do not, and hidden keys keep weight.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def heads_of(self, x):
        return x.view(*x.shape[:2], self.num_heads, self.d_k)
    def forward(self, query, key, value, mask=None):
        q = self.heads_of(self.w_q(query))
        k = self.heads_of(self.w_k(key))
        v = self.heads_of(self.w_v(value))
        scores = torch.einsum("nihd,njhd->nijh", q, k) / math.sqrt(self.d_k)
        if mask is not None:
            lowest = torch.finfo(scores.dtype).min
            scores = scores.permute(0, 3, 1, 2).masked_fill(~mask, lowest).permute(0, 2, 3, 1)
        attn = torch.softmax(scores, dim=-1)
        self.weights = attn.permute(0, 3, 1, 2).detach()
        x = torch.einsum("nijh,njhd->nihd", self.dropout(attn), v)
        return self.w_o(x.flatten(2))

# %% wrong: values-of-the-keys | The values are projected from `key` and not from `value`, as if both were always the same tensor (one "memory" with a key/value pair made of it). It goes unnoticed in self- and cross-attention, and is wrong as soon as key and value differ: v = value W^V.
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
    def keys_and_values(self, memory):
        both = torch.cat([self.w_k(memory), self.w_v(memory)], dim=-1)
        return (split_heads(half, self.num_heads) for half in both.chunk(2, dim=-1))
    def forward(self, query, key, value, mask=None):
        asked = split_heads(self.w_q(query), self.num_heads)
        keys, values = self.keys_and_values(key)
        heads, weights = scaled_dot_product_attention(asked, keys, values, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: true-is-hidden | The mask is read as torch's nn.MultiheadAttention reads its own, True = hidden: `masked_fill(mask, lowest)` hides just the keys that may be seen. In this course True means "may be seen", so it has to be filled where the mask is False.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, embed_dim = query.shape
        src_len = key.size(1)
        q = self.w_q(query).view(bsz, tgt_len, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.w_k(key).view(bsz, src_len, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.w_v(value).view(bsz, src_len, self.num_heads, self.head_dim).transpose(1, 2)
        attn = (q / math.sqrt(self.head_dim)) @ k.transpose(-2, -1)
        if mask is not None:
            attn = attn.masked_fill(mask, torch.finfo(attn.dtype).min)
        attn = F.softmax(attn, dim=-1)
        self.weights = attn.detach()
        out = self.dropout(attn) @ v
        return self.w_o(out.transpose(1, 2).reshape(bsz, tgt_len, embed_dim))

# %% wrong: llama-habits | Two mistakes. The four projections are made with bias=False, though the module has to learn w_q, w_k, w_v and w_o each with a bias; and hidden keys are filled with minus infinity, so a row that sees no key becomes nan instead of staying finite.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * self.head_dim, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        bsz, seqlen, _ = query.shape
        xq, xk, xv = self.w_q(query), self.w_k(key), self.w_v(value)
        xq = xq.view(bsz, seqlen, self.num_heads, self.head_dim).transpose(1, 2)
        keys = xk.view(bsz, -1, self.num_heads, self.head_dim).transpose(1, 2)
        values = xv.view(bsz, -1, self.num_heads, self.head_dim).transpose(1, 2)
        scores = torch.matmul(xq, keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
        scores = F.softmax(scores.float(), dim=-1).type_as(xq)
        self.weights = scores.detach()
        output = torch.matmul(self.dropout(scores), values)
        output = output.transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        return self.w_o(output)

# %% right: shares-of-w-o-added
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        size = query.size(-1) // self.num_heads
        if mask is not None:
            shape = (query.size(0), self.num_heads, query.size(1), key.size(1))
            mask = torch.broadcast_to(mask, shape)
        output, kept = self.w_o.bias, []
        for h in range(self.num_heads):
            share = slice(h * size, (h + 1) * size)
            q, k, v = (
                F.linear(x, linear.weight[share], linear.bias[share])
                for linear, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
            )
            seen = None if mask is None else mask[:, h]
            found, weights = scaled_dot_product_attention(q, k, v, seen, self.dropout)
            kept.append(weights.detach())
            output = output + found @ self.w_o.weight[:, share].T
        self.weights = torch.stack(kept, dim=1)
        return output

# %% right: fairseq-batched-heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.scaling = self.head_dim**-0.5
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def _shape(self, tensor):
        bsz, length, _ = tensor.shape
        tensor = tensor.view(bsz, length, self.num_heads, self.head_dim).transpose(1, 2)
        return tensor.reshape(bsz * self.num_heads, length, self.head_dim)
    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, _ = query.shape
        q = self._shape(self.w_q(query) * self.scaling)
        k, v = self._shape(self.w_k(key)), self._shape(self.w_v(value))
        scores = torch.bmm(q, k.transpose(1, 2)).view(bsz, self.num_heads, tgt_len, -1)
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        attn = scores.softmax(dim=-1)
        self.weights = attn.detach()
        attn = self.dropout(attn).view(bsz * self.num_heads, tgt_len, -1)
        out = torch.bmm(attn, v).view(bsz, self.num_heads, tgt_len, self.head_dim)
        return self.w_o(out.transpose(1, 2).flatten(2))
