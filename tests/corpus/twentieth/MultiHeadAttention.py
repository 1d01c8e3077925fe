# %% wrong: annotated-merge-no-transpose | When merging, the heads (N, H, T, d_k) are only viewed as (N, T, D), without swapping the axis of heads back behind time first; so a row of the result holds pieces of several words of one head instead of all heads of one word.
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
        self.dropout = nn.Dropout(p=dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.num_heads, self.d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        x, attn = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = attn.detach()
        x = x.contiguous().view(nbatches, -1, self.num_heads * self.d_k)
        return self.w_o(x)

# %% wrong: value-from-key | The values are projected from `key` instead of from `value`: the student believes keys and values are always the same tensor, so the third input is never used.
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
        memory = key
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(memory), self.num_heads)
        value = split_heads(self.w_v(memory), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output

# %% wrong: einsum-scale-d-model | The scores are divided by the root of d_model, the size of the whole vector, instead of by the root of d_k, the size of one head's vectors; so the softmax is too flat for more than one head.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(
                f"d_model={d_model} is not a multiple of num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        scale = query.size(-1) ** -0.5
        q = self.w_q(query).unflatten(-1, (self.num_heads, -1))
        k = self.w_k(key).unflatten(-1, (self.num_heads, -1))
        v = self.w_v(value).unflatten(-1, (self.num_heads, -1))
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) * scale
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        self.weights = weights.detach()
        found = torch.einsum("nhqk,nkhd->nqhd", self.dropout(weights), v)
        return self.w_o(found.flatten(2))

# %% wrong: nanogpt-output-dropout | Besides the weights, dropout is applied to the module's output after w_o (nanoGPT's resid_dropout), although here it acts on the weights and on nothing else.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                f"got d_model={d_model}, which is no multiple of num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        hs = C // self.num_heads
        q = self.w_q(query).view(B, T, self.num_heads, hs).transpose(1, 2)
        k = self.w_k(key).view(B, S, self.num_heads, hs).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.num_heads, hs).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            att = att.masked_fill(mask == 0, torch.finfo(att.dtype).min)
        att = F.softmax(att, dim=-1)
        self.weights = att.detach()
        att = self.dropout(att)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        y = self.dropout(self.w_o(y))
        return y

# %% wrong: fairseq-mask-true-hides | The mask is read the way of nn.MultiheadAttention, True means hidden; so exactly the places that may be seen get the lowest score, and the forbidden ones are attended to.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.head_dim = d_model // num_heads
        if self.head_dim * num_heads != d_model:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.scaling = self.head_dim**-0.5
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, embed_dim = query.size()
        src_len = key.size(1)
        def shape(x, length):
            x = x.view(bsz, length, self.num_heads, self.head_dim).transpose(1, 2)
            return x.reshape(bsz * self.num_heads, length, self.head_dim)
        q = shape(self.w_q(query) * self.scaling, tgt_len)
        k = shape(self.w_k(key), src_len)
        v = shape(self.w_v(value), src_len)
        attn_weights = torch.bmm(q, k.transpose(1, 2))
        attn_weights = attn_weights.view(bsz, self.num_heads, tgt_len, src_len)
        if mask is not None:
            attn_weights = attn_weights.masked_fill(mask, torch.finfo(attn_weights.dtype).min)
        attn_weights = F.softmax(attn_weights, dim=-1)
        self.weights = attn_weights.detach()
        attn_probs = self.dropout(attn_weights).view(bsz * self.num_heads, tgt_len, src_len)
        attn = torch.bmm(attn_probs, v)
        attn = attn.view(bsz, self.num_heads, tgt_len, self.head_dim).transpose(1, 2)
        return self.w_o(attn.reshape(bsz, tgt_len, embed_dim))

# %% wrong: loop-softmax-over-queries | The softmax runs over the axis of the queries (dim=1 of (N, T_q, T_k)) instead of over the keys; so the weights of a key sum to 1 over all queries, not those of a query over its keys.
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
        shape = (query.size(0), self.num_heads, query.size(1), key.size(1))
        if mask is not None:
            mask = mask.expand(shape)
        qs = self.w_q(query).chunk(self.num_heads, dim=-1)
        ks = self.w_k(key).chunk(self.num_heads, dim=-1)
        vs = self.w_v(value).chunk(self.num_heads, dim=-1)
        found, looks = [], []
        for head, (q, k, v) in enumerate(zip(qs, ks, vs)):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(-1))
            if mask is not None:
                scores = scores.masked_fill(~mask[:, head], torch.finfo(scores.dtype).min)
            look = F.softmax(scores, dim=1)
            looks.append(look)
            found.append(torch.bmm(self.dropout(look), v))
        self.weights = torch.stack(looks, dim=1).detach()
        return self.w_o(torch.cat(found, dim=-1))

# %% wrong: bentrevett-view-and-no-wo | Two mistakes. (1) The heads are cut with view(N, H, T, d_k) straight from (N, T, D), without a transpose, so each head gets a part of the sentence instead of a part of the features. (2) The merged heads are returned without the last projection w_o.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.hid_dim = d_model
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        batch_size = query.shape[0]
        Q = self.w_q(query).view(batch_size, self.num_heads, -1, self.head_dim)
        K = self.w_k(key).view(batch_size, self.num_heads, -1, self.head_dim)
        V = self.w_v(value).view(batch_size, self.num_heads, -1, self.head_dim)
        x, attention = scaled_dot_product_attention(Q, K, V, mask, self.dropout)
        self.weights = attention.detach()
        x = x.permute(0, 2, 1, 3).contiguous()
        return x.view(batch_size, -1, self.hid_dim)

# %% right: d2l-heads-in-the-batch
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
    def transpose_qkv(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.num_heads, -1)
        X = X.permute(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])
    def transpose_output(self, X):
        X = X.reshape(-1, self.num_heads, X.shape[1], X.shape[2])
        X = X.permute(0, 2, 1, 3)
        return X.reshape(X.shape[0], X.shape[1], -1)
    def forward(self, query, key, value, mask=None):
        queries = self.transpose_qkv(self.w_q(query))
        keys = self.transpose_qkv(self.w_k(key))
        values = self.transpose_qkv(self.w_v(value))
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
        scores = scores.reshape(-1, self.num_heads, scores.shape[1], scores.shape[2])
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
        attention = F.softmax(scores, dim=-1)
        self.weights = attention.detach()
        output = torch.bmm(self.dropout(attention).flatten(0, 1), values)
        return self.w_o(self.transpose_output(output))

# %% right: each-head-its-own-matrices
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} is no multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        def project(linear, x):
            matrices = linear.weight.view(self.num_heads, self.d_k, -1)
            offsets = linear.bias.view(self.num_heads, 1, self.d_k)
            return torch.einsum("ntd,hkd->nhtk", x, matrices) + offsets
        heads, weights = scaled_dot_product_attention(
            project(self.w_q, query), project(self.w_k, key), project(self.w_v, value),
            mask, self.dropout,
        )
        self.weights = weights.detach()
        shares = self.w_o.weight.view(-1, self.num_heads, self.d_k)
        return torch.einsum("nhtk,dhk->ntd", heads, shares) + self.w_o.bias
