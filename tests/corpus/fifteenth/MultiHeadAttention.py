# %% wrong: assert-for-the-value-error | Sizes that do not fit are refused with an assert, as in The Annotated Transformer: that raises an AssertionError, where the docstring promises a ValueError.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        assert d_model % num_heads == 0
        self.d_k = d_model // num_heads
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.weights = None
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.num_heads, self.d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        x, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.num_heads * self.d_k)
        return self.w_o(x)

# %% wrong: mask-gets-one-axis-more | The mask is always unsqueezed at axis 1 ("same mask for all heads", as in The Annotated Transformer). It comes here in a shape that already broadcasts to (N, H, T_q, T_k), such as (N, 1, 1, T_k) or (T_q, T_k), so one axis too many or a wrong one is added: an error, five axes, or the wrong keys hidden.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        x, weights = scaled_dot_product_attention(query, key, value, mask=mask, dropout=self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(x))

# %% wrong: keys-through-w-q | A copied line: the keys go through w_q instead of w_k, so queries and keys share one projection and w_k is never used or trained.
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
        key = split_heads(self.w_q(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: residual-dropout-as-well | As in nanoGPT (resid_dropout), dropout is applied a second time, to the output of w_o; here it may act on the attention weights and on nothing else.
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
        self.resid_dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        hs = C // self.num_heads
        q = self.w_q(query).view(B, T, self.num_heads, hs).transpose(1, 2)
        k = self.w_k(key).view(B, S, self.num_heads, hs).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.num_heads, hs).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(hs))
        if mask is not None:
            att = att.masked_fill(~mask, torch.finfo(att.dtype).min)
        att = F.softmax(att, dim=-1)
        self.weights = att.detach()
        att = self.dropout(att)
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
        return self.resid_dropout(self.w_o(y))

# %% wrong: weights-averaged-over-heads | What is kept in self.weights is the mean over the heads, (N, T_q, T_k), as nn.MultiheadAttention returns it by default; asked for are the weights of each head, (N, H, T_q, T_k).
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                f"d_model has to be a multiple of num_heads, but got {d_model} and {num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, embed_dim = query.shape
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        attn_output, attn_weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = attn_weights.detach().mean(dim=1)
        attn_output = attn_output.transpose(1, 2).reshape(bsz, tgt_len, embed_dim)
        return self.w_o(attn_output)

# %% wrong: scaled-by-d-model | The scores of each head are divided by the root of d_model, the size of the whole vector, instead of the root of d_k, the size of a head: they are too small by the root of the number of heads.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.d_model = d_model
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        q = self.w_q(query).unflatten(-1, (self.num_heads, -1))
        k = self.w_k(key).unflatten(-1, (self.num_heads, -1))
        v = self.w_v(value).unflatten(-1, (self.num_heads, -1))
        energy = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(self.d_model)
        if mask is not None:
            energy = energy.masked_fill(~mask, torch.finfo(energy.dtype).min)
        weights = self.dropout(torch.softmax(energy, dim=-1))
        self.weights = weights.detach()
        found = torch.einsum("nhqk,nkhd->nqhd", weights, v)
        return self.w_o(found.flatten(2))

# %% wrong: heads-share-small-projections | As in Aladdin Persson's video the input is cut into heads first, and then one small nn.Linear(d_k, d_k) projects each piece: all heads share the same projection and each sees only its own slice of the input, where w_q, w_k and w_v are to be d_model by d_model and come before the cut.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        if self.head_dim * num_heads != d_model:
            raise ValueError("Embedding size needs to be divisible by heads")
        self.w_v = nn.Linear(self.head_dim, self.head_dim)
        self.w_k = nn.Linear(self.head_dim, self.head_dim)
        self.w_q = nn.Linear(self.head_dim, self.head_dim)
        self.w_o = nn.Linear(num_heads * self.head_dim, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        N = query.shape[0]
        value_len, key_len, query_len = value.shape[1], key.shape[1], query.shape[1]
        values = self.w_v(value.reshape(N, value_len, self.num_heads, self.head_dim))
        keys = self.w_k(key.reshape(N, key_len, self.num_heads, self.head_dim))
        queries = self.w_q(query.reshape(N, query_len, self.num_heads, self.head_dim))
        energy = torch.einsum("nqhd,nkhd->nhqk", [queries, keys]) / (self.head_dim ** 0.5)
        if mask is not None:
            energy = energy.masked_fill(mask == 0, torch.finfo(energy.dtype).min)
        attention = torch.softmax(energy, dim=3)
        self.weights = attention.detach()
        attention = self.dropout(attention)
        out = torch.einsum("nhql,nlhd->nqhd", [attention, values]).reshape(
            N, query_len, self.num_heads * self.head_dim
        )
        return self.w_o(out)

# %% wrong: keys-as-long-as-queries | The keys and values are viewed with the length of the query, T_q. That is right in self-attention only; in cross-attention, where T_k differs, view raises an error.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        batch, length, d_model = query.shape
        shape = (batch, length, self.num_heads, d_model // self.num_heads)
        query = self.w_q(query).view(shape).transpose(1, 2)
        key = self.w_k(key).view(shape).transpose(1, 2)
        value = self.w_v(value).view(shape).transpose(1, 2)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(heads.transpose(1, 2).reshape(batch, length, d_model))

# %% wrong: remembers-the-mask | A mask that was once given is stored in the module and used again in later calls that pass none: the result of a call depends on the calls before it (wrong keys hidden, or an error where the shapes differ).
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} must be a multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.mask = None
        self.weights = None
    def project(self, linear, x):
        return split_heads(linear(x), self.num_heads)
    def forward(self, query, key, value, mask=None):
        if mask is not None:
            self.mask = mask
        heads, weights = scaled_dot_product_attention(
            self.project(self.w_q, query),
            self.project(self.w_k, key),
            self.project(self.w_v, value),
            self.mask,
            self.dropout,
        )
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: mask-lost-and-heads-not-swapped-back | Two mistakes. The mask is never passed on to the attention, so nothing is hidden; and the heads, (N, H, T, d_k), are reshaped to (N, T, D) without swapping heads and words back, which mixes the words.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} must be a multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        n, t, d = query.shape
        query, key, value = self.w_q(query), self.w_k(key), self.w_v(value)
        query, key, value = (split_heads(part, self.num_heads) for part in (query, key, value))
        heads, weights = scaled_dot_product_attention(query, key, value, dropout=self.dropout)
        self.weights = weights.detach()
        return self.w_o(heads.reshape(n, t, d))

# %% right: annotated-zip
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.d_k = d_model // num_heads
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.weights = None
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.num_heads, self.d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        x, weights = scaled_dot_product_attention(query, key, value, mask=mask, dropout=self.dropout)
        self.weights = weights.detach()
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.num_heads * self.d_k)
        return self.w_o(x)

# %% right: one-head-after-another
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_model} features evenly")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.expand(query.size(0), self.num_heads, query.size(1), key.size(1))
        queries = self.w_q(query).chunk(self.num_heads, dim=-1)
        keys = self.w_k(key).chunk(self.num_heads, dim=-1)
        values = self.w_v(value).chunk(self.num_heads, dim=-1)
        found, looked = [], []
        for h in range(self.num_heads):
            head_mask = None if mask is None else mask[:, h]
            head, weights = scaled_dot_product_attention(
                queries[h], keys[h], values[h], head_mask, self.dropout
            )
            found.append(head)
            looked.append(weights.detach())
        self.weights = torch.stack(looked, dim=1)
        return self.w_o(torch.cat(found, dim=-1))

# %% right: einsum-without-transposing
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.d_k, rest = divmod(d_model, num_heads)
        if rest:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.weights = None
    def forward(self, query, key, value, mask=None):
        cut = (self.num_heads, self.d_k)
        q = self.w_q(query).unflatten(-1, cut)
        k = self.w_k(key).unflatten(-1, cut)
        v = self.w_v(value).unflatten(-1, cut)
        sim = torch.einsum("b i h d, b j h d -> b h i j", q, k) * self.d_k**-0.5
        if mask is not None:
            sim = sim.masked_fill(~mask, torch.finfo(sim.dtype).min)
        attn = sim.softmax(dim=-1)
        self.weights = attn.detach()
        out = torch.einsum("b h i j, b j h d -> b i h d", self.dropout(attn), v)
        return self.w_o(out.flatten(-2))
