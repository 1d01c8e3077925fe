# %% right: loop_over_the_heads
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

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
        query, key, value = self.w_q(query), self.w_k(key), self.w_v(value)
        shape = (query.size(0), self.num_heads, query.size(1), key.size(1))
        seen = None if mask is None else mask.expand(shape)
        found, weights = [], []
        d_k = query.size(-1) // self.num_heads
        for h in range(self.num_heads):
            own = slice(h * d_k, (h + 1) * d_k)
            one, weight = scaled_dot_product_attention(
                query[..., own],
                key[..., own],
                value[..., own],
                None if seen is None else seen[:, h],
                self.dropout,
            )
            found.append(one)
            weights.append(weight)
        self.weights = torch.stack(weights, dim=1).detach()
        return self.w_o(torch.cat(found, dim=-1))


# %% right: all_in_forward_without_the_helpers
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2).

    The weights of the last call, (N, H, T_q, T_k), stay in `weights`.
    Raises ValueError if d_model is not a multiple of num_heads.
    """

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model={d_model}")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = self.w_q(query).unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2)
        key = self.w_k(key).unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2)
        value = self.w_v(value).unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2)
        scores = query @ key.transpose(2, 3) / math.sqrt(self.d_k)
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        weights = self.dropout(scores.softmax(dim=-1))
        self.weights = weights.detach()
        return self.w_o((weights @ value).transpose(1, 2).flatten(2))


# %% right: own_einsum_heads_stay_third
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} features cannot be shared among {num_heads} heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q = self.w_q(query).unflatten(-1, (self.num_heads, -1))  # (N, T_q, H, d_k)
        k = self.w_k(key).unflatten(-1, (self.num_heads, -1))  # (N, T_k, H, d_k)
        v = self.w_v(value).unflatten(-1, (self.num_heads, -1))  # (N, T_k, H, d_k)
        scores = torch.einsum("nihd,njhd->nhij", q, k) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = self.drop(scores.softmax(dim=-1))
        self.weights = weights.detach()
        found = torch.einsum("nhij,njhd->nihd", weights, v)
        return self.w_o(found.flatten(start_dim=2))

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


# %% right: tenth_own_heads_in_the_batch
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def fold(self, x):
        n, t, _ = x.shape
        x = x.reshape(n, t, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        return x.reshape(n * self.num_heads, t, self.d_k)

    def forward(self, query, key, value, mask=None):
        n, t_q, d = query.shape
        t_k = key.size(1)
        q, k, v = self.fold(self.w_q(query)), self.fold(self.w_k(key)), self.fold(self.w_v(value))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_k)
        scores = scores.view(n, self.num_heads, t_q, t_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = self.dropout(F.softmax(scores, dim=-1))
        self.weights = weights.detach()
        found = torch.bmm(weights.reshape(n * self.num_heads, t_q, t_k), v)
        found = found.view(n, self.num_heads, t_q, self.d_k).permute(0, 2, 1, 3)
        return self.w_o(found.reshape(n, t_q, d))

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


# %% right: eleventh_own_einsum_words_first
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.num_heads, self.dropout = num_heads, nn.Dropout(dropout)
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            linear(x).unflatten(-1, (self.num_heads, -1))
            for linear, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = self.dropout(scores.softmax(dim=-1))
        self.weights = weights.detach()
        return self.w_o(torch.einsum("nhqk,nkhd->nqhd", weights, v).flatten(2))

# %% right: eleventh_own_loop_over_heads
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model // num_heads * num_heads != d_model:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        queries, keys, values = self.w_q(query), self.w_k(key), self.w_v(value)
        if mask is not None:
            mask = mask.expand(query.size(0), self.num_heads, query.size(1), key.size(1))
        outputs, seen = [], []
        for h in range(self.num_heads):
            share = slice(h * self.d_k, (h + 1) * self.d_k)
            output, weights = scaled_dot_product_attention(
                queries[..., share],
                keys[..., share],
                values[..., share],
                None if mask is None else mask[:, h],
                self.dropout,
            )
            outputs.append(output)
            seen.append(weights.detach())
        self.weights = torch.stack(seen, dim=1)
        return self.w_o(torch.cat(outputs, dim=-1))


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
# %% right: twelfth_own_loop_over_heads
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
        self.weights = None

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            shape = (query.size(0), self.num_heads, query.size(1), key.size(1))
            mask = torch.broadcast_to(mask, shape)
        queries = self.w_q(query).split(self.d_k, dim=-1)
        keys = self.w_k(key).split(self.d_k, dim=-1)
        values = self.w_v(value).split(self.d_k, dim=-1)
        results, looked = [], []
        for i in range(self.num_heads):
            visible = None if mask is None else mask[:, i]
            result, weight = scaled_dot_product_attention(
                queries[i], keys[i], values[i], visible, self.dropout
            )
            results.append(result)
            looked.append(weight.detach())
        self.weights = torch.stack(looked, dim=1)
        return self.w_o(torch.cat(results, dim=-1))
