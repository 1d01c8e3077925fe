# %% wrong: dropout_if_there_is_one | TRUE CAUSE: The condition asks whether there is a dropout module (always true), not whether the module is training, so weights are dropped in evaluation too: the kernel does not look at the mode by itself.
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel.

    The weights are neither written to memory nor kept. It shares the projections of the
    attention that it is made from, w_q, w_k, w_v and w_o, and takes num_heads and dropout (an
    nn.Dropout) from there. Masks are as there; a row that sees no key stays finite.
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
        if self.dropout:  # blank: dropped
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropped)  # blank: one_kernel
        return self.w_o(merge_heads(heads))


# %% wrong: dropout_p_not_passed | TRUE CAUSE: The rate is worked out into `dropped` but never handed to the kernel, so nothing is dropped in training.
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel.

    The weights are neither written to memory nor kept. It shares the projections of the
    attention that it is made from, w_q, w_k, w_v and w_o, and takes num_heads and dropout (an
    nn.Dropout) from there. Masks are as there; a row that sees no key stays finite.
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
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)  # blank: one_kernel
        return self.w_o(merge_heads(heads))


# %% wrong: is_causal_instead_of_mask | TRUE CAUSE: Took is_causal for 'there is a mask' and does not pass the mask itself: padding is not hidden, the future always is, in the encoder as well.
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel.

    The weights are neither written to memory nor kept. It shares the projections of the
    attention that it is made from, w_q, w_k, w_v and w_o, and takes num_heads and dropout (an
    nn.Dropout) from there. Masks are as there; a row that sees no key stays finite.
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
            query, key, value, dropout_p=dropped, is_causal=mask is not None
        )  # blank: one_kernel
        return self.w_o(merge_heads(heads))


# %% wrong: mask_turned_over | TRUE CAUSE: The mask is inverted before the kernel (True taken for 'hide', as in nn.MultiheadAttention's key_padding_mask), so real keys are hidden and hidden ones are seen.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        hidden = None if mask is None else ~mask
        p = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=hidden, dropout_p=p)
        return self.w_o(merge_heads(heads))


# %% wrong: weights_copied | TRUE CAUSE: Copies the projections (deepcopy) instead of sharing them: the results agree at first, but training the fused part does not change the attention it was made from.
import copy


class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel."""

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = copy.deepcopy(attention.w_q)
        self.w_k = copy.deepcopy(attention.w_k)
        self.w_v = copy.deepcopy(attention.w_v)
        self.w_o = copy.deepcopy(attention.w_o)
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        dropped = 0.0
        if self.training:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))


# %% wrong: dropout_on_the_heads | TRUE CAUSE: Dropout is applied to the output of the kernel (the heads) instead of to the softmax inside it: whole features are zeroed rather than weights.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(project(x), self.num_heads)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        # self.dropout knows itself whether it is training
        heads = self.dropout(F.scaled_dot_product_attention(query, key, value, mask))
        return self.w_o(merge_heads(heads))


# %% wrong: scaled_by_hand_too | TRUE CAUSE: two mistakes: the queries are divided by sqrt(d_k) although the kernel does that itself, and the mask is not passed, so hidden keys are seen.
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel.

    The weights are neither written to memory nor kept. It shares the projections of the
    attention that it is made from, w_q, w_k, w_v and w_o, and takes num_heads and dropout (an
    nn.Dropout) from there. Masks are as there; a row that sees no key stays finite.
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
            query / math.sqrt(query.size(-1)), key, value, dropout_p=dropped
        )  # blank: one_kernel
        return self.w_o(merge_heads(heads))
