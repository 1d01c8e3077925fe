# %% wrong: mask_forgotten | TRUE CAUSE: the mask is not handed to the kernel, so hidden keys are seen
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
        heads = F.scaled_dot_product_attention(query, key, value, dropout_p=dropped)  # blank: one_kernel
        return self.w_o(merge_heads(heads))

# %% wrong: drops_in_evaluation | TRUE CAUSE: dropped asks only whether there is a dropout rate, not whether the module is training: weights are dropped in evaluation, too
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

# %% wrong: rate_computed_but_unused | TRUE CAUSE: the dropout rate is found, but never handed to the kernel, so nothing is dropped in training
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
        heads = F.scaled_dot_product_attention(query, key, value, mask)  # blank: one_kernel
        return self.w_o(merge_heads(heads))

# %% wrong: mask_inverted | TRUE CAUSE: the mask is inverted, as if True meant hidden (as in nn.MultiheadAttention); in the course True means seen, and the kernel means the same
class FusedMultiHeadAttention(nn.Module):
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
        p = self.dropout.p if self.training else 0.0
        if mask is not None:
            mask = ~mask
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        return self.w_o(merge_heads(heads))

# %% wrong: scaled_twice | TRUE CAUSE: the query is divided by the root of d_k by hand, and the kernel, which is all of Eq. 1, does it again
class FusedMultiHeadAttention(nn.Module):
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
        dropped = 0.0
        if self.training:
            dropped = self.dropout.p
        scale = math.sqrt(query.size(-1))
        heads = F.scaled_dot_product_attention(
            query / scale, key, value, attn_mask=mask, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: copies_the_projections | TRUE CAUSE: the projections are deep copies, not the attention's own: training the fused one leaves the model's weights as they were
import copy


class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = copy.deepcopy(attention.w_q)
        self.w_k = copy.deepcopy(attention.w_k)
        self.w_v = copy.deepcopy(attention.w_v)
        self.w_o = copy.deepcopy(attention.w_o)
        self.dropout = nn.Dropout(attention.dropout.p)

    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(project(x), self.num_heads)  # (N, H, length, d_k)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        dropped = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: always_causal_and_drops_in_eval | TRUE CAUSE: two mistakes: is_causal=True in place of the mask, so every attention is a decoder's and padding is seen; and dropout is on in evaluation (the condition is turned round)
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
        if not self.training:  # blank: dropped
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, dropout_p=dropped, is_causal=True)  # blank: one_kernel
        return self.w_o(merge_heads(heads))
