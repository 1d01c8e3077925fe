# %% wrong: dropout_in_eval_too | TRUE CAUSE: the condition for dropout asks only whether the rate is above 0, not whether the module is in training, so weights are dropped in evaluation as well
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
        if self.dropout.p > 0:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: scale_by_d_model | TRUE CAUSE: the scale given to the kernel is 1/sqrt(d_model), the width of all heads together, in place of 1/sqrt(d_k), so that the softmax is too flat with more than one head
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
        d_model = query.size(-1) * self.num_heads
        dropped = 0.0
        if self.training:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(
            query, key, value, mask, dropped, scale=1 / math.sqrt(d_model)
        )
        return self.w_o(merge_heads(heads))

# %% wrong: own_mask_as_float | TRUE CAUSE: the boolean mask is converted to a float tensor before the kernel, which adds a float mask to the scores, so hidden keys get 0 and visible ones 1 added and nothing is hidden
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
        if mask is not None:
            mask = mask.to(q.dtype)
        p = self.dropout.p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        return self.w_o(merge_heads(out))

# %% wrong: own_dropout_after_kernel | TRUE CAUSE: dropout is put on the output of the kernel (self.dropout(out)) and not on the softmax weights (dropout_p stays 0), so in training elements of the heads are dropped instead of weights
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.dropout = attention.dropout

    def heads_of(self, layer, x):
        return split_heads(layer(x), self.num_heads)

    def forward(self, query, key, value, mask=None):
        q = self.heads_of(self.w_q, query)
        k = self.heads_of(self.w_k, key)
        v = self.heads_of(self.w_v, value)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        out = self.dropout(out)
        return self.w_o(merge_heads(out))
