# %% wrong: dropout-in-eval-too | self.dropout.p is passed to the kernel always, also in eval mode: F.scaled_dot_product_attention drops whatever it is told to, so predictions are random in eval mode.
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
        heads = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=self.dropout.p
        )
        return self.w_o(merge_heads(heads))

# %% wrong: copied-projections | New linear layers are made and the weights are copied into them: the parameters are copies, not those of the attention that it is made from, so what one learns the other does not.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.dropout = attention.dropout
        d_model = attention.w_q.in_features
        for name in ("w_q", "w_k", "w_v", "w_o"):
            linear = nn.Linear(d_model, d_model)
            linear.load_state_dict(getattr(attention, name).state_dict())
            setattr(self, name, linear.to(attention.w_q.weight.device))
    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(project(x), self.num_heads)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        dropped = self.dropout.p if self.training else 0.0
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: nanogpt-causal | As in nanoGPT, attn_mask is None and is_causal is set instead (here whenever a mask is given): the mask itself is ignored, so padding is seen, and a padding mask of an encoder hides the future.
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
        hs = C // self.num_heads
        q = self.w_q(query).view(B, T, self.num_heads, hs).transpose(1, 2)
        k = self.w_k(key).view(B, S, self.num_heads, hs).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.num_heads, hs).transpose(1, 2)
        y = F.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=None,
            dropout_p=self.dropout.p if self.training else 0,
            is_causal=mask is not None,
        )
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)

# %% wrong: scaled-twice | The queries are divided by the root of d_k before the call, but F.scaled_dot_product_attention divides by it as well: the scores are scaled twice and the softmax is too flat.
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
        query = query / math.sqrt(query.size(-1))
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropout_p=dropped)
        return self.w_o(merge_heads(heads))

# %% right: views-by-hand
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.num_heads = attention.num_heads
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        def heads_of(x):
            B, L, C = x.shape
            return x.reshape(B, L, self.num_heads, C // self.num_heads).transpose(1, 2)
        y = torch.nn.functional.scaled_dot_product_attention(
            heads_of(self.w_q(query)),
            heads_of(self.w_k(key)),
            heads_of(self.w_v(value)),
            attn_mask=mask,
            dropout_p=self.dropout.p if self.training else 0.0,
        )
        y = y.transpose(1, 2).flatten(2)
        return self.w_o(y)
