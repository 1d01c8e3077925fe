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
