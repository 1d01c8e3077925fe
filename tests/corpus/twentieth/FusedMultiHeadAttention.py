# %% wrong: dropped-in-eval-too | Asks whether there is a dropout at all (p > 0) instead of whether the module is training: F.scaled_dot_product_attention has no mode of its own, so it also drops in eval mode.
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

# %% wrong: pytorch-mask-inverted | Inverts the mask, as nn.MultiheadAttention needs it (True is hidden there): torch's function has the convention of this course, True may be seen, so now exactly the hidden keys are seen.
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
        attn_mask = torch.logical_not(mask) if mask is not None else None
        dropout_p = self.dropout.p if self.training else 0.0
        attn_output = F.scaled_dot_product_attention(
            q, k, v, attn_mask=attn_mask, dropout_p=dropout_p
        )
        return self.w_o(merge_heads(attn_output))

# %% wrong: fairseq-scaled-twice | Multiplies the query by d_k ** -0.5 first, as fairseq does before its own product: F.scaled_dot_product_attention divides by the root of d_k itself, so the scores are divided twice.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, embed_dim = query.size()
        head_dim = embed_dim // self.num_heads
        scaling = head_dim**-0.5
        def shape(t):
            return t.view(bsz, -1, self.num_heads, head_dim).transpose(1, 2)
        q = shape(self.w_q(query) * scaling)
        k, v = shape(self.w_k(key)), shape(self.w_v(value))
        p = self.dropout.p if self.training else 0.0
        attn = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        attn = attn.transpose(1, 2).reshape(bsz, tgt_len, embed_dim)
        return self.w_o(attn)

# %% wrong: dropout-on-the-heads | Puts the dropout on what the kernel returns instead of on the softmax's weights inside it (dropout_p): in training it zeroes features of the heads, where Eq. 1's dropout takes away keys.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
    def forward(self, query, key, value, mask=None):
        inputs = {"w_q": query, "w_k": key, "w_v": value}
        parts = [
            split_heads(getattr(self, name)(x), self.num_heads) for name, x in inputs.items()
        ]
        looked_up = self.dropout(F.scaled_dot_product_attention(*parts, attn_mask=mask))
        return self.w_o(merge_heads(looked_up))

# %% wrong: mask-of-ones-and-zeros | Turns the mask into numbers, 1 and 0, before the kernel: a float mask is added to the scores there, so nothing is hidden, and visible keys only get a score that is larger by 1; it has to stay boolean.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def kernel(self, q, k, v, mask):
        options = {"dropout_p": self.dropout.p * self.training}
        if mask is not None:
            options["attn_mask"] = mask.to(q.dtype)
        return F.scaled_dot_product_attention(q, k, v, **options)
    def forward(self, query, key, value, mask=None):
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        q, k, v = (x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for x in (q, k, v))
        return self.w_o(self.kernel(q, k, v, mask).transpose(1, 2).flatten(2))

# %% wrong: nanogpt-self-and-causal | Two mistakes. Projects query for keys and values, too, as self-attention does, so a decoder no longer reads key and value of the encoder; and takes any mask for a causal one (is_causal=True instead of attn_mask), which loses the padding.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.dropout = attention.dropout
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        q, k, v = self.w_q(query), self.w_k(query), self.w_v(query)
        k = k.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)
        q = q.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)
        v = v.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)
        y = F.scaled_dot_product_attention(
            q,
            k,
            v,
            attn_mask=None,
            dropout_p=self.dropout.p if self.training else 0.0,
            is_causal=mask is not None,
        )
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)

# %% right: hf-sdpa
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o", "dropout"):
            setattr(self, name, getattr(attention, name))
    def _shape(self, tensor):
        return tensor.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
    def forward(self, query, key, value, mask=None):
        query_states = self._shape(self.w_q(query))
        key_states, value_states = self._shape(self.w_k(key)), self._shape(self.w_v(value))
        attn_output = F.scaled_dot_product_attention(
            query_states,
            key_states,
            value_states,
            attn_mask=mask,
            dropout_p=self.dropout.p if self.training else 0.0,
            is_causal=False,
        )
        return self.w_o(attn_output.transpose(1, 2).flatten(2))
