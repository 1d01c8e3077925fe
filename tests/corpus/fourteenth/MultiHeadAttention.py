# %% wrong: values_projected_by_w_k | Copy and paste: the value line uses self.w_k, so the values get the projection of the keys and w_v is never used (and never trained).
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
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_k(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output
# %% wrong: dropout_not_passed_on | self.dropout is never given to scaled_dot_product_attention, so no weight is ever dropped in training: the dropout argument has no effect.
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
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask=mask)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output
# %% wrong: own_scaled_by_root_of_d_model | The scores are divided by the root of d_model, the width of the whole vector, instead of the root of d_k, the width of one head: with more than one head they are too small and the weights too flat.
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
        d_model = query.size(-1)
        q = self.w_q(query).unflatten(-1, (self.num_heads, -1))  # (N, T_q, H, d_k)
        k = self.w_k(key).unflatten(-1, (self.num_heads, -1))
        v = self.w_v(value).unflatten(-1, (self.num_heads, -1))
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(d_model)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = self.dropout(scores.softmax(dim=-1))
        self.weights = weights.detach()
        found = torch.einsum("nhqk,nkhd->nqhd", weights, v)
        return self.w_o(found.flatten(2))
# %% wrong: own_weights_stacked_in_front | The output is right, but the heads' weights are put together by torch.stack without dim=1: the new axis is in front, so self.weights is (H, N, T_q, T_k) instead of (N, H, T_q, T_k).
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
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        d_k = q.size(-1) // self.num_heads
        if mask is not None:
            mask = mask.expand(q.size(0), self.num_heads, q.size(1), k.size(1))
        found, looked = [], []
        for h in range(self.num_heads):
            mine = slice(h * d_k, (h + 1) * d_k)
            head_mask = None if mask is None else mask[:, h]
            head, weights = scaled_dot_product_attention(
                q[..., mine], k[..., mine], v[..., mine], head_mask, self.dropout
            )
            found.append(head)
            looked.append(weights.detach())
        self.weights = torch.stack(looked)
        return self.w_o(torch.cat(found, dim=-1))
