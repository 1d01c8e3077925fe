# %% wrong: dropout_in_evaluation_too | The blank `dropped` asks whether there is a dropout rate at all, not whether the part is training. F.scaled_dot_product_attention knows no mode, so weights are dropped in evaluation, too.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(project(x), self.num_heads)  # (N, H, length, d_k)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        dropped = 0.0
        if self.dropout.p > 0.0:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))
# %% wrong: mask_turned_around | The boolean mask is inverted before the call, as if True meant "hidden" for F.scaled_dot_product_attention (as in nn.MultiheadAttention); there True means "may be seen", as in the course.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(project(x), self.num_heads)  # (N, H, length, d_k)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        dropped = 0.0
        if self.training:
            dropped = self.dropout.p
        hidden = None if mask is None else ~mask  # torch wants to know what is hidden
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=hidden, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))
# %% wrong: own_scale_of_d_model | The scale is given by hand and taken from the width before the heads are split, 1 / sqrt(d_model), where Eq. 1 needs 1 / sqrt(d_k) of a head (which is the kernel's default).
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
        self.num_heads = attention.num_heads
    def into_heads(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        scale = q.size(-1) ** -0.5
        found = F.scaled_dot_product_attention(
            self.into_heads(q),
            self.into_heads(k),
            self.into_heads(v),
            attn_mask=mask,
            dropout_p=self.dropout.p if self.training else 0.0,
            scale=scale,
        )
        return self.w_o(found.transpose(1, 2).flatten(2))
# %% wrong: own_mask_as_numbers | The boolean mask is converted to 0.0 and 1.0 before the call. A float mask is added to the scores, so hidden keys are only weighed a little less (0 against 1), not hidden.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.dropout = attention.dropout
        self.num_heads = attention.num_heads
    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        options = {}
        if self.training:
            options["dropout_p"] = self.dropout.p
        if mask is not None:
            options["attn_mask"] = mask.to(q.dtype)  # the kernel computes with numbers
        return self.w_o(merge_heads(F.scaled_dot_product_attention(q, k, v, **options)))
