# %% right: tenth_own_sum_of_heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        H = self.num_heads
        d_k = query.size(-1) // H
        if mask is not None:
            mask = mask.expand(query.size(0), H, query.size(1), key.size(1))
        output = self.w_o.bias
        seen = []
        for h in range(H):
            rows = slice(h * d_k, (h + 1) * d_k)
            q = F.linear(query, self.w_q.weight[rows], self.w_q.bias[rows])
            k = F.linear(key, self.w_k.weight[rows], self.w_k.bias[rows])
            v = F.linear(value, self.w_v.weight[rows], self.w_v.bias[rows])
            m = mask[:, h] if mask is not None else None
            head, w = scaled_dot_product_attention(q, k, v, m, self.dropout)
            seen.append(w.detach())
            output = output + head @ self.w_o.weight[:, rows].T
        self.weights = torch.stack(seen, dim=1)
        return output
# %% right: own_loop_and_shares_of_w_o
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model has to be a multiple of num_heads")
        self.heads, self.size = num_heads, d_model // num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        q_all, k_all, v_all = self.w_q(query), self.w_k(key), self.w_v(value)
        shares = [slice(h * self.size, (h + 1) * self.size) for h in range(self.heads)]
        scores = torch.stack(
            [q_all[..., s] @ k_all[..., s].transpose(1, 2) for s in shares], dim=1
        )  # (N, H, T_q, T_k)
        scores = scores / self.size**0.5
        if mask is not None:
            scores = torch.where(mask, scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
        weights = self.dropout(F.softmax(scores, dim=-1))
        self.weights = weights.detach()
        output = self.w_o.bias
        for h, s in enumerate(shares):
            found = weights[:, h] @ v_all[..., s]  # (N, T_q, d_k)
            output = output + found @ self.w_o.weight[:, s].T
        return output
# %% right: twelfth_own_einsum_no_helpers
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.drop = nn.Dropout(dropout)
        self.weights = None
    def cut(self, x):
        return x.unflatten(-1, (self.h, x.size(-1) // self.h))
    def forward(self, query, key, value, mask=None):
        q, k, v = self.cut(self.w_q(query)), self.cut(self.w_k(key)), self.cut(self.w_v(value))
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        p = self.drop(scores.softmax(-1))
        self.weights = p.detach()
        return self.w_o(torch.einsum("nhqk,nkhd->nqhd", p, v).flatten(2))
# %% right: field_view_permute_and_scale_tensor
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model is no multiple of num_heads")
        self.hid_dim, self.n_heads, self.head_dim = d_model, num_heads, d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.scale = math.sqrt(self.head_dim)
    def forward(self, query, key, value, mask=None):
        batch_size = query.shape[0]
        Q, K, V = self.w_q(query), self.w_k(key), self.w_v(value)
        Q = Q.view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        K = K.view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        V = V.view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / self.scale
        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e10)
        self.weights = torch.softmax(energy, dim=-1)
        x = torch.matmul(self.dropout(self.weights), V)
        x = x.permute(0, 2, 1, 3).contiguous()
        return self.w_o(x.view(batch_size, -1, self.hid_dim))
# %% right: field_annotated_zip_of_projections
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {d_model}")
        self.d_k, self.h = d_model // num_heads, num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.weights = None
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        x, self.weights = scaled_dot_product_attention(query, key, value, mask=mask, dropout=self.dropout)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.w_o(x)
# %% right: field_heads_in_the_batch
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("heads do not divide the width")
        self.num_heads = num_heads
        self.w_q, self.w_k = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.w_v, self.w_o = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
    def transpose_qkv(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])
    def transpose_output(self, X):
        X = X.reshape(-1, self.num_heads, X.shape[1], X.shape[2]).permute(0, 2, 1, 3)
        return X.reshape(X.shape[0], X.shape[1], -1)
    def forward(self, queries, keys, values, mask=None):
        n = queries.shape[0]
        q, k, v = (self.transpose_qkv(w(x)) for w, x in
                   ((self.w_q, queries), (self.w_k, keys), (self.w_v, values)))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
        scores = scores.unflatten(0, (n, self.num_heads))
        if mask is not None:
            scores = torch.where(mask, scores, torch.tensor(-1e6, dtype=scores.dtype))
        self.weights = F.softmax(scores, dim=-1)
        out = torch.bmm(self.dropout(self.weights).flatten(0, 1), v)
        return self.w_o(self.transpose_output(out))
