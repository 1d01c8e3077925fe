# %% wrong: keys-tiled | The shared keys are tiled as a whole (key 0, key 1, key 0, key 1) and not each repeated for its group (key 0, key 0, key 1, key 1): the new axis stands before that of the keys, so neighboring heads do not share.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * self.head_dim, d_model, bias=False)
    def repeat_kv(self, hidden_states, n_rep):
        batch, num_kv_heads, slen, head_dim = hidden_states.shape
        expanded = hidden_states[:, None].expand(batch, n_rep, num_kv_heads, slen, head_dim)
        return expanded.reshape(batch, num_kv_heads * n_rep, slen, head_dim)
    def forward(self, x, mask=None, start=0, cache=None):
        query = split_heads(self.w_q(x), self.num_heads)
        key = split_heads(self.w_k(x), self.num_kv_heads)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        query, key = self.rotate(query, start), self.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        n_rep = self.num_heads // self.num_kv_heads
        key, value = self.repeat_kv(key, n_rep), self.repeat_kv(value, n_rep)
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self.w_o(merge_heads(heads))

# %% wrong: rotated-after-the-cache | Keeps the keys unrotated and then rotates all that the cache returns from `start` on, so with a cache the first key, which stands at position 0, is turned as if it stood at start; each new key has to be rotated to its own position before it is kept.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = num_kv_heads * (d_model // num_heads)
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, kv_width, bias=False)
        self.w_v = nn.Linear(d_model, kv_width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        query = split_heads(self.w_q(x), self.num_heads)
        key = split_heads(self.w_k(x), self.num_kv_heads)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        query, key = self.rotate(query, start), self.rotate(key, start)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat_interleave(group, dim=1) for shared in (key, value))
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))

# %% wrong: repeated-before-the-cache | Repeats keys and values for all heads before it keeps them, so the cache holds num_heads of them and saves no memory; it must keep the shared ones, (N, num_kv_heads, T_k, d_k), and they are repeated afterwards.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k, self.w_v = (nn.Linear(d_model, num_kv_heads * d_k, bias=False) for _ in range(2))
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        group = self.num_heads // self.num_kv_heads
        def spread(vectors):
            return torch.repeat_interleave(vectors, group, dim=1)
        query = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key = spread(self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start))
        value = spread(split_heads(self.w_v(x), self.num_kv_heads))
        if cache is not None:
            key, value = cache.append(key, value)
        return self.w_o(merge_heads(F.scaled_dot_product_attention(query, key, value, mask)))

# %% wrong: causal-flag-for-the-mask | Replaces the mask by is_causal, as in a GPT without a cache: the mask that is passed is not used, and with a cache, where there are more keys than queries, is_causal counts from the first key, so the new queries see only the oldest keys.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = d_model // num_heads * num_kv_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, kv_width, bias=False)
        self.w_v = nn.Linear(d_model, kv_width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        bsz, seqlen, _ = x.shape
        q = self.w_q(x).view(bsz, seqlen, self.num_heads, -1).transpose(1, 2)
        k = self.w_k(x).view(bsz, seqlen, self.num_kv_heads, -1).transpose(1, 2)
        v = self.w_v(x).view(bsz, seqlen, self.num_kv_heads, -1).transpose(1, 2)
        q, k = map(lambda t: self.rotate(t, start), (q, k))
        if cache is not None:
            k, v = cache.append(k, v)
        n_rep = self.num_heads // self.num_kv_heads
        k, v = map(lambda t: t.repeat_interleave(n_rep, dim=1), (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=mask is not None)
        y = y.transpose(1, 2).reshape(bsz, seqlen, -1)
        return self.w_o(y)

# %% wrong: rotated-before-the-split | Rotates the whole vectors before they are cut into heads, so the rates run over all D features (and over the narrower keys at another pace), where each head's d_k features have to get the rates base^(-2i / d_k); queries and keys no longer turn alike.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = num_kv_heads * (d_model // num_heads)
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, kv_width, bias=False)
        self.w_v = nn.Linear(d_model, kv_width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        query = split_heads(self.rotate(self.w_q(x), start), self.num_heads)
        key = split_heads(self.rotate(self.w_k(x), start), self.num_kv_heads)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        owner = torch.arange(self.num_heads, device=x.device) // group
        heads = F.scaled_dot_product_attention(query, key[:, owner], value[:, owner], mask)
        return self.w_o(merge_heads(heads))

# %% wrong: values-turned-start-forgotten | Two mistakes. The values are rotated as well, where only queries and keys are; and start is not passed on, so with a cache every call's tokens are turned as if they stood at 0, 1, ... again.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = num_kv_heads * (d_model // num_heads)
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, kv_width, bias=False)
        self.w_v = nn.Linear(d_model, kv_width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        counts = (self.num_heads, self.num_kv_heads, self.num_kv_heads)
        projected = (self.w_q(x), self.w_k(x), self.w_v(x))
        query, key, value = (
            self.rotate(split_heads(vectors, count))
            for vectors, count in zip(projected, counts, strict=True)
        )
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat_interleave(group, dim=1) for shared in (key, value))
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))

# %% right: expanded-view
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        head_dim = d_model // num_heads
        widths = {"w_q": d_model, "w_k": num_kv_heads * head_dim, "w_v": num_kv_heads * head_dim}
        for name, width in widths.items():
            setattr(self, name, nn.Linear(d_model, width, bias=False))
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        def heads_of(project, count):
            return project(x).unflatten(-1, (count, -1)).transpose(1, 2)
        q = self.rotate(heads_of(self.w_q, self.num_heads), start)
        k = self.rotate(heads_of(self.w_k, self.num_kv_heads), start)
        v = heads_of(self.w_v, self.num_kv_heads)
        if cache is not None:
            k, v = cache.append(k, v)
        n_rep = self.num_heads // self.num_kv_heads
        k = k[:, :, None].expand(-1, -1, n_rep, -1, -1).flatten(1, 2)
        v = v[:, :, None].expand(-1, -1, n_rep, -1, -1).flatten(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=0.0)
        return self.w_o(y.transpose(1, 2).flatten(2))
