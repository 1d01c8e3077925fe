# %% wrong: mask-inverted | Inverts the mask, as if the kernel took True for hidden like nn.MultiheadAttention; F.scaled_dot_product_attention has the course's own convention, True may be seen, so the mask goes in as it is.
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
        hidden = None if mask is None else mask.logical_not()
        dropped = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=hidden, dropout_p=dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: dropout-in-eval-too | Hands the kernel its dropout rate in every case, because it takes the function for a module that knows its mode; the function drops whatever it is told, so in eval mode the rate has to be 0.
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
        if self.dropout.p > 0:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: scaled-twice | Divides the query by the root of d_k before the kernel, which divides by it once more itself, so the scores are too small and the weights too even.
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
        scaling = q.size(-1) ** -0.5
        attn = F.scaled_dot_product_attention(
            q * scaling, k, v, attn_mask=mask, dropout_p=self.dropout.p if self.training else 0.0
        )
        return self.w_o(merge_heads(attn))

# %% wrong: dropout-on-the-heads | Leaves the kernel without dropout and applies it to what the kernel returns, the averaged values; dropout belongs on the weights, which only the kernel sees, so the rate has to be passed to it.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        for name in ("w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
    def forward(self, query, key, value, mask=None):
        parts = []
        for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value)):
            parts.append(split_heads(project(x), self.num_heads))
        heads = self.dropout(F.scaled_dot_product_attention(*parts, attn_mask=mask))
        return self.w_o(merge_heads(heads))

# %% wrong: causal-without-a-mask | Asks for is_causal where no mask is passed, as in a GPT's attention; in this module no mask means that everything may be seen, as in the attention that it replaces (an encoder's, or one that looks at a memory).
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = (split_heads(x, self.num_heads) for x in (q, k, v))
        y = torch.nn.functional.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=mask,
            dropout_p=self.dropout.p if self.training else 0,
            is_causal=mask is None,
        )
        return self.w_o(merge_heads(y))

# %% wrong: copied-projections | Makes deep copies of the projections, so the fast part has weights of its own that no longer follow those of the attention; it has to share the very same parameters, and no copies.
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
            split_heads(project(x), self.num_heads)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        dropped = 0.0
        if self.training:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% right: rate-times-mode
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        for name in ("w_q", "w_k", "w_v", "w_o", "dropout"):
            self.add_module(name, getattr(attention, name))
    def forward(self, query, key, value, mask=None):
        def heads_of(project, x):
            return project(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        found = F.scaled_dot_product_attention(
            heads_of(self.w_q, query),
            heads_of(self.w_k, key),
            heads_of(self.w_v, value),
            attn_mask=mask,
            dropout_p=self.dropout.p * float(self.training),
        )
        return self.w_o(found.transpose(1, 2).flatten(2))
