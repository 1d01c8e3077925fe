# %% wrong: k-and-v-from-query | The keys and values are made from `query`, not from `key` and `value`: self-attention alone was in mind. In cross-attention the module never looks at the other sentence.
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
        x = query
        query = split_heads(self.w_q(x), self.num_heads)
        key = split_heads(self.w_k(x), self.num_heads)
        value = split_heads(self.w_v(x), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: view-alone | In the manner of The Annotated Transformer: the projections are viewed straight as (N, H, T, d_k), without first cutting to (N, T, H, d_k) and transposing. So each head gets a stretch of the sentence of its own (its rows are pieces of those words), instead of its share of every word's features.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is no multiple of num_heads={num_heads}")
        self.d_k = d_model // num_heads
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
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
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.num_heads * self.d_k)
        return self.w_o(x)

# %% wrong: merged-without-transpose | The heads are attended correctly with einsum, but the result (N, H, T_q, d_k) is reshaped straight to (N, T_q, D), with the axis of heads still before that of time. So the features of a word come from one head at several words, not from all heads at that word.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads cannot share {d_model} features")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        def per_head(x):
            return x.unflatten(-1, (self.num_heads, -1))
        q, k, v = per_head(self.w_q(query)), per_head(self.w_k(key)), per_head(self.w_v(value))
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        self.weights = weights.detach()
        found = torch.einsum("nhqk,nkhd->nhqd", self.dropout(weights), v)
        return self.w_o(found.reshape(query.shape))

# %% wrong: scale-of-d-model | In the manner of labml and d2l: the scores are divided by the root of d_model. Eq. 1 divides by the root of d_k, the size of one head; so all scores are too small by the root of the number of heads.
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
        self.softmax = nn.Softmax(dim=-1)
        self.dropout = nn.Dropout(dropout)
        self.scale = 1 / math.sqrt(d_model)
        self.weights = None
    def prepare(self, linear, x):
        return linear(x).view(*x.shape[:2], self.num_heads, self.d_k).permute(0, 2, 1, 3)
    def forward(self, query, key, value, mask=None):
        query = self.prepare(self.w_q, query)
        key = self.prepare(self.w_k, key)
        value = self.prepare(self.w_v, value)
        scores = query @ key.transpose(-2, -1) * self.scale
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        attn = self.dropout(self.softmax(scores))
        self.weights = attn.detach()
        x = (attn @ value).permute(0, 2, 1, 3).flatten(2)
        return self.w_o(x)

# %% wrong: minus-infinity | In the manner of minGPT: hidden scores become minus infinity. A row of queries that sees no key is then 0/0 in the softmax and comes out as nan, while the contract says that it stays finite.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.num_heads = num_heads
        self.weights = None
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        q = self.w_q(query).view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)
        k = self.w_k(key).view(B, S, self.num_heads, C // self.num_heads).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.num_heads, C // self.num_heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            att = att.masked_fill(mask == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        self.weights = att.detach()
        att = self.dropout(att)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)

# %% wrong: residual-dropout | In the manner of nanoGPT, which has a residual dropout: the output of w_o is dropped as well as the weights. The contract says that dropout acts on the weights and on nothing else.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.resid_dropout = nn.Dropout(dropout)
        self.num_heads = num_heads
        self.weights = None
    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        y, att = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = att.detach()
        y = self.resid_dropout(self.w_o(merge_heads(y)))
        return y

# %% wrong: softmax-over-queries-and-mean-weights | Two mistakes. The softmax runs over dim=2, the queries, so a query's weights over the keys do not sum to 1; and `weights` keeps the mean over the heads, (N, T_q, T_k), as PyTorch's module returns it, where (N, H, T_q, T_k) is asked for.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads) * self.head_dim**-0.5
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        attn_scores = torch.matmul(q, k.transpose(2, 3))
        if mask is not None:
            attn_scores = attn_scores.masked_fill(
                mask.logical_not(), torch.finfo(attn_scores.dtype).min
            )
        attn_weights = F.softmax(attn_scores, dim=2)
        self.weights = attn_weights.detach().mean(dim=1)
        attn_output = torch.matmul(self.dropout(attn_weights), v)
        return self.w_o(merge_heads(attn_output))

# %% right: sum-of-shares
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"cannot cut {d_model} features into {num_heads} heads")
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        q = self.w_q(query).chunk(self.num_heads, dim=-1)
        k = self.w_k(key).chunk(self.num_heads, dim=-1)
        v = self.w_v(value).chunk(self.num_heads, dim=-1)
        found, weights = scaled_dot_product_attention(
            torch.stack(q, dim=1), torch.stack(k, dim=1), torch.stack(v, dim=1), mask, self.dropout
        )
        self.weights = weights.detach()
        shares = self.w_o.weight.unflatten(1, (self.num_heads, -1))
        return torch.einsum("nhtd,ohd->nto", found, shares) + self.w_o.bias

# %% right: einsum-without-helpers
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is no multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1))
            for layer, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        q = q * q.size(-1) ** -0.5
        energy = torch.einsum("nqhd,nkhd->nhqk", q, k)
        if mask is not None:
            energy = energy.masked_fill(~mask, torch.finfo(energy.dtype).min)
        attention = F.softmax(energy, dim=-1)
        self.weights = attention.detach()
        out = torch.einsum("nhqk,nkhd->nqhd", self.dropout(attention), v)
        return self.w_o(out.flatten(start_dim=2))
