# %% right: own_names
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        rate = self.dropout.p * self.training
        found = F.scaled_dot_product_attention(q, k, v, mask, rate)
        return self.w_o(merge_heads(found))

# %% right: scale_spelled_out
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel.

    The weights are neither written to memory nor kept. It shares the projections of the
    attention that it is made from, w_q, w_k, w_v and w_o, and takes num_heads and dropout (an
    nn.Dropout) from there. Masks are as there, but a query that may see no key gets zeros, not
    the mean of the values. Nothing reads either.
    """

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
        if self.training and self.dropout.p > 0:  # blank: dropped
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=dropped, scale=query.size(-1) ** -0.5
        )  # blank: one_kernel
        return self.w_o(merge_heads(heads))


# %% right: own_reshape_by_hand
class FusedMultiHeadAttention(nn.Module):
    """Eq. 1 as one kernel, with the projections of an attention that exists already."""

    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))

    def _heads(self, linear, x):
        y = linear(x)
        n, t, d = y.shape
        return y.view(n, t, self.num_heads, d // self.num_heads).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        q, k, v = self._heads(self.w_q, query), self._heads(self.w_k, key), self._heads(self.w_v, value)
        p = self.dropout.p if self.training else 0.0
        found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        n, h, t, d_k = found.shape
        return self.w_o(found.permute(0, 2, 1, 3).reshape(n, t, h * d_k))

# %% right: own_unflatten_dense
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        old = attention
        self.w_q, self.w_k, self.w_v, self.w_o = old.w_q, old.w_k, old.w_v, old.w_o
        self.num_heads, self.dropout = old.num_heads, old.dropout

    def forward(self, query, key, value, mask=None):
        pairs = [(self.w_q, query), (self.w_k, key), (self.w_v, value)]
        qkv = [w(x).unflatten(2, (self.num_heads, -1)).transpose(1, 2) for w, x in pairs]
        drop = self.dropout.p * self.training
        mixed = F.scaled_dot_product_attention(*qkv, attn_mask=mask, dropout_p=float(drop))
        return self.w_o(mixed.transpose(1, 2).flatten(start_dim=2))


# %% right: tenth_own_helper_and_views
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))

    def cut(self, x):
        n, t, d = x.shape
        return x.reshape(n, t, self.num_heads, d // self.num_heads).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        out = F.scaled_dot_product_attention(
            self.cut(self.w_q(query)),
            self.cut(self.w_k(key)),
            self.cut(self.w_v(value)),
            attn_mask=mask,
            dropout_p=self.dropout.p * self.training,
        )
        n, h, t, d_k = out.shape
        return self.w_o(out.permute(0, 2, 1, 3).reshape(n, t, h * d_k))

# %% right: tenth_own_kwargs
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.dropout, self.num_heads = attention.dropout, attention.num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (
            attention.w_q, attention.w_k, attention.w_v, attention.w_o
        )

    def forward(self, query, key, value, mask=None):
        H = self.num_heads
        inputs = [query, key, value]
        layers = [self.w_q, self.w_k, self.w_v]
        q, k, v = [split_heads(layer(x), H) for layer, x in zip(layers, inputs)]
        extra = {}
        if mask is not None:
            extra["attn_mask"] = mask
        if self.training:
            extra["dropout_p"] = self.dropout.p
        return self.w_o(merge_heads(F.scaled_dot_product_attention(q, k, v, **extra)))


# %% right: eleventh_own_setattr_loop
class FusedMultiHeadAttention(nn.Module):
    """Attention in one kernel, with the weights of another attention."""

    def __init__(self, attention):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o", "dropout", "num_heads"):
            setattr(self, name, getattr(attention, name))

    def forward(self, query, key, value, mask=None):
        h = self.num_heads
        q = split_heads(self.w_q(query), h)
        k = split_heads(self.w_k(key), h)
        v = split_heads(self.w_v(value), h)
        p = self.dropout.p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        return self.w_o(merge_heads(out))

# %% right: eleventh_own_view_and_transpose
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.num_heads = attention.num_heads
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        def heads(x):
            n, t, d = x.shape
            return x.reshape(n, t, self.num_heads, d // self.num_heads).transpose(1, 2)

        options = {"attn_mask": mask}
        if self.training and self.dropout.p > 0:
            options["dropout_p"] = self.dropout.p
        result = F.scaled_dot_product_attention(
            heads(self.w_q(query)), heads(self.w_k(key)), heads(self.w_v(value)), **options
        )
        result = result.transpose(1, 2).flatten(start_dim=2)
        return self.w_o(result)


# %% right: twelfth_own_setattr_loop
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for part in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, part, getattr(attention, part))

    def forward(self, query, key, value, mask=None):
        q, k, v = [
            split_heads(linear(x), self.num_heads)
            for linear, x in zip([self.w_q, self.w_k, self.w_v], [query, key, value])
        ]
        rate = self.dropout.p if self.training else 0.0
        return self.w_o(
            merge_heads(F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=rate))
        )

# %% right: twelfth_own_views
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.dropout = attention.dropout
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.num_heads = attention.num_heads

    def _split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)

    def forward(self, query, key, value, mask=None):
        Q = self._split(self.w_q(query))
        K = self._split(self.w_k(key))
        values = self._split(self.w_v(value))
        p = float(self.dropout.p) * int(self.training)
        Z = F.scaled_dot_product_attention(Q, K, values, mask, p)
        return self.w_o(Z.transpose(-3, -2).flatten(-2))
