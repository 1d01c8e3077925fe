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
