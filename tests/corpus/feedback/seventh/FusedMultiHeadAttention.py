# %% wrong: rate_passed_in_eval_too | TRUE CAUSE: the kernel is given self.dropout.p instead of dropped, so it drops weights in eval mode as well (F.scaled_dot_product_attention does not know the mode)
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
        if self.training:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=self.dropout.p
        )
        return self.w_o(merge_heads(heads))


# %% wrong: mask_turned_around | TRUE CAUSE: the mask is negated, in the belief that torch's kernel hides where the mask is True (as nn.MultiheadAttention does); here as there True means visible
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel."""

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        hidden = None if mask is None else ~mask  # torch wants to know what is hidden
        dropped = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=hidden, dropout_p=dropped)
        return self.w_o(merge_heads(heads))


# %% wrong: scaled_before_the_kernel_too | TRUE CAUSE: the query is divided by sqrt(d_k) before the call although the kernel does all of Eq. 1, so the scores are divided by d_k
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
        query = query / math.sqrt(query.size(-1))
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))
