# %% wrong: dropped_if_rate | TRUE CAUSE: asks whether there is a dropout rate at all, not whether the model is in training: attention is dropped in evaluation, too
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

# %% wrong: mask_as_numbers | TRUE CAUSE: the boolean mask is made a float, which scaled_dot_product_attention adds to the scores: hidden keys get 0 added and seen ones 1, so nothing is hidden
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
            query, key, value, attn_mask=None if mask is None else mask.float(), dropout_p=dropped
        )  # blank: one_kernel
        return self.w_o(merge_heads(heads))

# %% wrong: dropout_on_the_heads | TRUE CAUSE: dropout_p is not passed; the dropout is applied to the heads' output instead of to the weights of the softmax
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
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        if self.training:
            heads = F.dropout(heads, self.dropout.p)
        return self.w_o(merge_heads(heads))

# %% wrong: copied_and_scaled_twice | TRUE CAUSE: two mistakes: the projections are deep copies instead of the attention's own (no shared weights), and the query is divided by sqrt(d_k) although the kernel does so itself
import copy


class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = copy.deepcopy(attention.w_q)
        self.w_k = copy.deepcopy(attention.w_k)
        self.w_v = copy.deepcopy(attention.w_v)
        self.w_o = copy.deepcopy(attention.w_o)
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(project(x), self.num_heads)  # (N, H, length, d_k)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        dropped = self.dropout.p if self.training else 0.0
        query = query / math.sqrt(query.size(-1))
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

