# %% wrong: rate_instead_of_mode | TRUE CAUSE: the condition of `dropped` asks whether the rate is above 0 instead of whether the module is in train mode, so attention weights are dropped in evaluation too
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
        if self.dropout.p > 0:
            dropped = self.dropout.p
        heads = F.scaled_dot_product_attention(query, key, value, mask, dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: mask_as_numbers | TRUE CAUSE: the boolean mask is converted to floats 1 and 0 before it is handed to the kernel, which adds a float mask to the scores, so hidden keys only lose 1 from their score instead of being hidden
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
        if mask is not None:
            mask = mask.to(query.dtype)
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropped)
        return self.w_o(merge_heads(heads))

# %% wrong: own_new_linears | TRUE CAUSE: __init__ makes new nn.Linear layers and loads the attention's numbers into them, so the weights are copies and not the shared parameters of the attention
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.dropout = attention.dropout
        for name in ["w_q", "w_k", "w_v", "w_o"]:
            old = getattr(attention, name)
            new = nn.Linear(old.in_features, old.out_features)
            new.load_state_dict(old.state_dict())
            setattr(self, name, new)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        p = self.dropout.p if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        return self.w_o(merge_heads(out))

# %% wrong: own_dropout_after_kernel | TRUE CAUSE: dropout is applied to the features that the kernel returns instead of to the softmax weights inside it (dropout_p stays 0), so in training whole output features become 0 and the attention weights are never dropped
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.num_heads = attention.num_heads
        self.dropout = attention.dropout

    def heads(self, linear, x):
        batch, length, width = x.shape
        return linear(x).view(batch, length, self.num_heads, width // self.num_heads).transpose(1, 2)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.heads(self.w_q, query), self.heads(self.w_k, key), self.heads(self.w_v, value)
        mixed = self.dropout(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
        return self.w_o(mixed.transpose(1, 2).flatten(2))
