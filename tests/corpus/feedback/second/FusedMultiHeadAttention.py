# %% wrong: drops_in_eval_mode | TRUE CAUSE: The dropout rate is handed to the kernel always, so weights are dropped in eval mode too.
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel: no weights are written down, nor kept.

    It shares the projections of the attention that it is made from, w_q, w_k, w_v and w_o, and
    takes num_heads and dropout (an nn.Dropout) from there. Masks are as there; a row that sees
    no key stays finite.
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
        dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: mask_negated | TRUE CAUSE: The mask is negated before the kernel gets it (as if True meant hidden there), so it hides what may be seen.
class FusedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention whose Eq. 1 is one kernel: no weights are written down, nor kept.

    It shares the projections of the attention that it is made from, w_q, w_k, w_v and w_o, and
    takes num_heads and dropout (an nn.Dropout) from there. Masks are as there; a row that sees
    no key stays finite.
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
        dropped = float(self.training) * self.dropout.p
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=None if mask is None else ~mask, dropout_p=dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: is_causal_for_a_square_mask | TRUE CAUSE: Where the mask has several rows, it is replaced by is_causal=True, so the padding in a target mask (and any other mask of that shape) is ignored.
class FusedMultiHeadAttention(nn.Module):
    """One kernel instead of many."""

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        for name in ("w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        rate = self.dropout.p if self.training else 0.0
        causal = mask is not None and mask.size(-2) > 1
        heads = F.scaled_dot_product_attention(
            q, k, v, attn_mask=None if causal else mask, dropout_p=rate, is_causal=causal
        )
        return self.w_o(merge_heads(heads))

# %% wrong: copies_and_no_dropout | TRUE CAUSE: Two mistakes: the projections are deep copies, so the weights are not shared with the attention it is made from; and no dropout is handed to the kernel, not even in training.
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
        heads = F.scaled_dot_product_attention(
            split_heads(self.w_q(query), self.num_heads),
            split_heads(self.w_k(key), self.num_heads),
            split_heads(self.w_v(value), self.num_heads),
            attn_mask=mask,
        )
        return self.w_o(merge_heads(heads))
