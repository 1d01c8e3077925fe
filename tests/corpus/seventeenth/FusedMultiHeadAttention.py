# %% wrong: always-dropping | Passes dropout's p whatever the mode, believing that the kernel knows whether it is training. F.scaled_dot_product_attention drops whenever dropout_p is not 0, so eval mode drops, too; it has to be 0 unless the module is training.
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
        dropped = 0.0
        if self.dropout.p > 0:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: inverted-mask | Inverts the mask for PyTorch, as nn.MultiheadAttention would need it. F.scaled_dot_product_attention takes True for "may be seen", as the course does, so now the hidden keys are seen and the others not.
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
        attn_mask = None if mask is None else mask.logical_not()
        p = self.dropout.p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask, dropout_p=p)
        return self.w_o(merge_heads(out))

# %% wrong: scaled-twice | Divides the queries by the root of d_k before the call, as Eq. 1 says, but the kernel divides by it, too, so the scores are scaled twice.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        heads_of = lambda project, x: split_heads(project(x), self.num_heads)
        query = heads_of(self.w_q, query)
        query = query / math.sqrt(query.size(-1))
        dropped = self.dropout.p if self.dropout.training else 0.0
        heads = F.scaled_dot_product_attention(
            query, heads_of(self.w_k, key), heads_of(self.w_v, value), mask, dropped
        )
        return self.w_o(merge_heads(heads))

# %% wrong: nanogpt-causal-for-mask | Passes is_causal=True whenever there is a mask, as nanoGPT does, and not the mask itself. The model's masks hide padding as well, and those of encoder and cross-attention are not causal at all.
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
        y = torch.nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=None,
            dropout_p=self.dropout.p if self.training else 0, is_causal=mask is not None,
        )
        return self.w_o(merge_heads(y))

# %% wrong: float-mask | Turns the boolean mask into floats before the call. A float mask is added to the scores, so ones and zeros hide nothing: a visible key only gets 1 more.
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
        dropped = 0.0
        if self.training:
            dropped = self.dropout.p
        if mask is not None:
            mask = mask.to(query.dtype)
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: fused-projection-of-the-query | Makes queries, keys and values in one product from `query` alone, as GPT's c_attn does. That is self-attention only: in cross-attention keys and values come from other inputs, which are ignored here.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        weight = torch.cat([self.w_q.weight, self.w_k.weight, self.w_v.weight])
        bias = torch.cat([self.w_q.bias, self.w_k.bias, self.w_v.bias])
        qkv = F.linear(query, weight, bias).chunk(3, dim=-1)
        q, k, v = (split_heads(part, self.num_heads) for part in qkv)
        p = self.dropout.p if self.training else 0.0
        return self.w_o(merge_heads(F.scaled_dot_product_attention(q, k, v, mask, p)))

# %% wrong: two-dropout-twice-and-no-output-projection | Two mistakes. In training drops the finished heads with self.dropout in addition to the weights inside the kernel; and returns the merged heads without w_o.
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
        dropped = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return merge_heads(self.dropout(heads))

# %% wrong: one-call-for-each-head | Calls the kernel once for every head in a Python loop, not knowing that it takes all heads as a batch. The result is the same, but it is not one kernel: one call is expected.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        p = self.dropout.p if self.training else 0.0
        parts = []
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        cuts = zip(*(x.chunk(self.num_heads, dim=-1) for x in (q, k, v)), strict=True)
        for head, (q_h, k_h, v_h) in enumerate(cuts):
            own = mask
            if mask is not None and mask.dim() == 4:
                own = mask[:, head if mask.size(1) > 1 else 0]
            parts.append(F.scaled_dot_product_attention(q_h, k_h, v_h, own, p))
        return self.w_o(torch.cat(parts, dim=-1))

# %% right: keywords
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        return self.w_o(
            merge_heads(
                F.scaled_dot_product_attention(
                    split_heads(self.w_q(query), self.num_heads),
                    split_heads(self.w_k(key), self.num_heads),
                    split_heads(self.w_v(value), self.num_heads),
                    attn_mask=mask,
                    dropout_p=self.dropout.p if self.training else 0.0,
                )
            )
        )

# %% right: own-split
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        def project(linear, x):
            return linear(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        q, k, v = project(self.w_q, query), project(self.w_k, key), project(self.w_v, value)
        rate = float(self.dropout.p) * int(self.training)
        y = F.scaled_dot_product_attention(q, k, v, mask, rate)
        return self.w_o(y.transpose(1, 2).flatten(2))
