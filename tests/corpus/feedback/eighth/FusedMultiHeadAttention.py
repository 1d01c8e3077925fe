# %% wrong: drops_in_evaluation | TRUE CAUSE: asks whether there is a dropout rate instead of whether the module is in training, so weights are dropped in evaluation as well
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
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)  # blank: one_kernel
        return self.w_o(merge_heads(heads))


# %% wrong: mask_turned_round | TRUE CAUSE: inverts the mask in the belief that True hides in this torch function as in the masks of torch.nn, while here True means may be seen
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
        hidden = None if mask is None else ~mask  # torch: True is hidden
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=hidden, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))


# %% wrong: scales_twice | TRUE CAUSE: divides the query by the root of d_k although the kernel already does so, so scores are scaled twice
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel."""

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        dropped = self.dropout.p if self.training else 0.0
        query = query / math.sqrt(query.size(-1))
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))
