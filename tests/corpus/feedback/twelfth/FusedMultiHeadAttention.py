# %% wrong: scale_of_whole_width | TRUE CAUSE: takes d_k of Eq. 1 for the whole d_model: the blank one_kernel passes scale=1/sqrt(num_heads * d_k), so the scores are too small and the softmax too flat
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel."""

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
        d_model = self.num_heads * query.size(-1)
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=dropped, scale=1 / math.sqrt(d_model)
        )
        return self.w_o(merge_heads(heads))

# %% wrong: drops_only_in_evaluation | TRUE CAUSE: the condition of the blank dropped is turned round (not self.training), so weights are dropped in evaluation and never in training
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
        if not self.training:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: own_deepcopied_projections | TRUE CAUSE: the projections are deep-copied in __init__, so the module has parameters of its own that only start equal, and does not share those of the attention it is made from
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for part in ["w_q", "w_k", "w_v", "w_o", "dropout", "num_heads"]:
            setattr(self, part, copy.deepcopy(getattr(attention, part)))

    def forward(self, query, key, value, mask=None):
        h = self.num_heads
        q = split_heads(self.w_q(query), h)
        k = split_heads(self.w_k(key), h)
        v = split_heads(self.w_v(value), h)
        p = self.dropout.p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        return self.w_o(merge_heads(out))

# %% wrong: own_mask_as_float | TRUE CAUSE: the boolean mask is converted to the dtype of the scores before the kernel, which then adds 1 and 0 to the scores instead of hiding the keys where it is False
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads, self.dropout = attention.num_heads, attention.dropout
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o

    def _heads(self, x):
        n, length, width = x.shape
        return x.reshape(n, length, self.num_heads, width // self.num_heads).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        Q, K, V_ = self._heads(self.w_q(query)), self._heads(self.w_k(key)), self._heads(self.w_v(value))
        if mask is not None:
            mask = mask.to(Q.dtype)
        rate = self.dropout.p * self.training
        Z = F.scaled_dot_product_attention(Q, K, V_, attn_mask=mask, dropout_p=rate)
        return self.w_o(Z.transpose(1, 2).flatten(2))
