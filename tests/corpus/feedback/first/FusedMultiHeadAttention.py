# %% wrong: drops_always | TRUE CAUSE: the dropout rate is passed to the kernel in eval mode too, where nothing may be dropped
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
        dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: mask_turned_round | TRUE CAUSE: the mask is inverted, as for nn.MultiheadAttention, although True means "may be seen" for this function as well
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
        dropped = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=None if mask is None else ~mask, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: module_for_a_rate | TRUE CAUSE: the nn.Dropout module is passed where the kernel wants its rate, a number, so it raises a TypeError
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
        dropped = self.dropout
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: scaled_twice | TRUE CAUSE: the queries are divided by sqrt(d_k) beforehand although the kernel does that itself
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
        dropped = self.training * self.dropout.p
        heads = F.scaled_dot_product_attention(
            query * query.size(-1) ** -0.5, key, value, attn_mask=mask, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: mask_of_numbers | TRUE CAUSE: the mask is turned into numbers 0 and 1, which the kernel adds to the scores instead of hiding anything
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
        dropped = {True: self.dropout.p, False: 0.0}[self.training]
        heads = F.scaled_dot_product_attention(
            query, key, value, mask if mask is None else mask.to(query.dtype), dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: copied_projections | TRUE CAUSE: the projections are deep copies, so the weights are not shared with the attention that it is made from
class FusedMultiHeadAttention(nn.Module):
    """Multi-head attention through the fused kernel."""

    def __init__(self, attention):
        super().__init__()
        import copy

        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, copy.deepcopy(getattr(attention, name)))
        self.num_heads = attention.num_heads
        self.dropout = attention.dropout

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        p = self.dropout.p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        return self.w_o(merge_heads(out))

# %% wrong: heads_not_swapped_back | TRUE CAUSE: the heads are laid together with reshape alone, without swapping heads and positions back, so features of different positions are mixed up
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout

    def cut(self, x):
        n, t, d = x.shape
        return x.view(n, t, self.num_heads, d // self.num_heads).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        n, t, d = query.shape
        heads = F.scaled_dot_product_attention(
            self.cut(self.w_q(query)),
            self.cut(self.w_k(key)),
            self.cut(self.w_v(value)),
            attn_mask=mask,
            dropout_p=self.dropout.p if self.training else 0.0,
        )
        return self.w_o(heads.reshape(n, t, d))

# %% wrong: exchanged_and_dropped_late | TRUE CAUSE: two mistakes: key and value are exchanged in the call of the kernel; and dropout acts on what the heads found instead of on the weights
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
            for project, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        )
        heads = F.scaled_dot_product_attention(query, value, key, attn_mask=mask)
        return self.w_o(merge_heads(self.dropout(heads)))
