# %% right: ninth_own_lowest_number_for_hidden
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
    def heads_of(self, linear, x):
        n, t, d = x.shape
        h = self.num_heads
        return linear(x).reshape(n, t, h, d // h).permute(0, 2, 1, 3)
    def forward(self, query, key, value, mask=None):
        q = self.heads_of(self.w_q, query)
        k = self.heads_of(self.w_k, key)
        v = self.heads_of(self.w_v, value)
        bias = None
        if mask is not None:
            lowest = torch.finfo(q.dtype).min
            bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device)
            bias = bias.masked_fill(~mask, lowest)
        rate = self.dropout.p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, dropout_p=rate)
        out = out.permute(0, 2, 1, 3).reshape(query.shape)
        return self.w_o(out)
# %% right: thirteenth_own_unflatten
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        for name in ("w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
    def heads_of(self, project, x):
        return project(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (N, H, T, d_k)
    def forward(self, query, key, value, mask=None):
        found = F.scaled_dot_product_attention(
            self.heads_of(self.w_q, query),
            self.heads_of(self.w_k, key),
            self.heads_of(self.w_v, value),
            attn_mask=mask,
            dropout_p=self.dropout.p * self.training,
        )  # (N, H, T_q, d_k)
        return self.w_o(found.transpose(1, 2).flatten(start_dim=2))
# %% right: field_flash_with_dropout_of_the_module
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.w_q, self.w_k, self.w_v = attention.w_q, attention.w_k, attention.w_v
        self.w_o = attention.w_o
        self.n_head = self.num_heads = attention.num_heads
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        k = k.view(B, key.size(1), self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, value.size(1), self.n_head, C // self.n_head).transpose(1, 2)
        y = torch.nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=self.dropout.p if self.training else 0
        )
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)
# %% right: field_children_taken_over
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name, part in attention.named_children():
            self.add_module(name, part)
        self.num_heads = attention.num_heads
    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        d_k = query.size(-1) // self.num_heads
        query, key, value = [
            lin(x).view(nbatches, -1, self.num_heads, d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        p = self.dropout.p if self.training else 0.0
        x = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=p)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.num_heads * d_k)
        return self.w_o(x)
