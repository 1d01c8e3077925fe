# %% wrong: drops_whenever_rate_is_positive | TRUE CAUSE: The condition `dropped` asks whether the dropout's rate is above 0 instead of whether the module is in training mode, so in evaluation F.scaled_dot_product_attention, which knows no mode, still drops attention weights and the output is random.
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
        if self.dropout.p > 0:  # blank: dropped
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropped)  # blank: one_kernel
        return self.w_o(merge_heads(heads))

# %% wrong: scale_from_d_model | TRUE CAUSE: In `one_kernel` the scale is given explicitly as 1 / sqrt(D), from the size of the projection, although each head must be scaled with 1 / sqrt(d_k) of its own features, so with more than one head the softmax is too flat and the output differs.
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
        if self.training:  # blank: dropped
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(
            query, key, value, mask, dropped, scale=1 / math.sqrt(self.w_q.out_features)
        )  # blank: one_kernel
        return self.w_o(merge_heads(heads))

# %% wrong: own_packed_once | TRUE CAUSE: The three projections are packed in __init__ into one detached copy of the weights and biases, which forward uses instead of w_q, w_k and w_v, so these get no gradient and later changes of the weights have no effect on the output.
class FusedMultiHeadAttention(nn.Module):
    """One matrix for queries, keys and values, one kernel for the rest."""

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.dropout = attention.dropout
        linears = [self.w_q, self.w_k, self.w_v]
        weight = torch.cat([l.weight.data for l in linears])
        bias = torch.cat([l.bias.data for l in linears])
        self.register_buffer("packed_weight", weight, persistent=False)
        self.register_buffer("packed_bias", bias, persistent=False)

    def forward(self, query, key, value, mask=None):
        weights, biases = self.packed_weight.chunk(3), self.packed_bias.chunk(3)
        q, k, v = [
            split_heads(F.linear(x, w, b), self.num_heads)
            for x, w, b in zip((query, key, value), weights, biases)
        ]
        p = self.dropout.p if self.training else 0.0
        return self.w_o(merge_heads(F.scaled_dot_product_attention(q, k, v, mask, p)))

# %% wrong: own_lowest_number_for_hidden | TRUE CAUSE: The boolean mask is turned into one of numbers with torch.finfo(dtype).min where it is False, as in lesson 01, so a query that may see no key gets the mean of all values instead of zeros.
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

