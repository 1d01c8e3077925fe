# %% wrong: mode-at-creation | Whether weights are dropped is decided once, in __init__, from the mode that the given attention is in at that moment, and not in each call from self.training: made from an attention in train mode, the part drops in eval mode, too, and made from one in eval mode it never drops.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
        self.dropped = attention.dropout.p if attention.training else 0.0
    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=self.dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: always-causal | As in nanoGPT, the kernel gets is_causal=True and no mask: the mask that is passed is ignored, so padding is seen, and where there is no causal mask (encoder, cross-attention) later keys are hidden. The kernel needs the mask that the call brings, and no is_causal.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        q = self.w_q(query).view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)
        k = self.w_k(key).view(B, S, self.num_heads, C // self.num_heads).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.num_heads, C // self.num_heads).transpose(1, 2)
        y = F.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=None,
            dropout_p=self.dropout.p if self.training else 0.0,
            is_causal=True,
        )
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)

# %% wrong: scaled-twice | The queries are multiplied by d_k ** -0.5 beforehand, as fairseq does for its own product, but F.scaled_dot_product_attention divides by the root of d_k itself, so the scores are divided by d_k instead of by its root.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
        self.head_dim = attention.w_q.out_features // attention.num_heads
        self.scaling = self.head_dim**-0.5
    def forward(self, query, key, value, mask=None):
        q = self.w_q(query) * self.scaling
        k, v = self.w_k(key), self.w_v(value)
        q, k, v = (split_heads(part, self.num_heads) for part in (q, k, v))
        dropout_p = self.dropout.p if self.training else 0.0
        attn = F.scaled_dot_product_attention(q, k, v, mask, dropout_p)
        return self.w_o(merge_heads(attn))

# %% wrong: mask-as-numbers | The mask is converted to the queries' dtype, to ones and zeros. F.scaled_dot_product_attention ADDS a mask of floats to the scores, so nothing is hidden: keys that may be seen only get 1 more than the others. Its boolean mask means the same as the course's and can be passed as it is.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
    def forward(self, query, key, value, mask=None):
        def heads_of(project, x):
            return project(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        asked, kept, told = heads_of(self.w_q, query), heads_of(self.w_k, key), heads_of(self.w_v, value)
        bias = None if mask is None else mask.to(asked.dtype)
        rate = self.dropout.p if self.training else 0.0
        found = F.scaled_dot_product_attention(asked, kept, told, attn_mask=bias, dropout_p=rate)
        return self.w_o(found.transpose(1, 2).flatten(2))

# %% wrong: dropout-on-the-heads | The dropout module is applied to what the kernel returns, and the kernel itself drops nothing; Eq. 1's dropout acts on the attention weights, after the softmax and before the values, which is the kernel's dropout_p. In training, features are dropped instead of weights.
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
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        if self.training:
            heads = self.dropout(heads)
        return self.w_o(merge_heads(heads))

# %% wrong: inverted-and-always-dropped | Two mistakes. The mask is inverted for the kernel, as nn.MultiheadAttention would need it, but F.scaled_dot_product_attention has the course's convention (True: may be seen). And dropout_p is passed whatever the mode, while the function, which knows no mode, always drops: it has to be 0 outside training.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        query, key, value = self.w_q(query), self.w_k(key), self.w_v(value)
        attn_mask = mask.logical_not() if mask is not None else None
        context = F.scaled_dot_product_attention(
            split_heads(query, self.num_heads),
            split_heads(key, self.num_heads),
            split_heads(value, self.num_heads),
            attn_mask=attn_mask,
            dropout_p=self.dropout.p,
        )
        return self.w_o(merge_heads(context))

# %% right: unflattened
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
    def forward(self, query, key, value, mask=None):
        def heads_of(project, x):
            return project(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        found = F.scaled_dot_product_attention(
            heads_of(self.w_q, query),
            heads_of(self.w_k, key),
            heads_of(self.w_v, value),
            attn_mask=mask,
            dropout_p=self.dropout.p if self.training else 0.0,
        )
        return self.w_o(found.transpose(1, 2).flatten(2))

# %% right: as-nanogpt
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.n_head = self.num_heads = attention.num_heads
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        q = self.w_q(query).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = self.w_k(key).view(B, S, self.n_head, C // self.n_head).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.n_head, C // self.n_head).transpose(1, 2)
        dropout_p = self.dropout.p if self.training else 0
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, mask, dropout_p)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)
