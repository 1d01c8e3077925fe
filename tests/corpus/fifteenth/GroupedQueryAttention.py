# %% wrong: tiled-keys | The keys and values are repeated as a whole (0 1 0 1) by repeat and not each one group times (0 0 1 1) by repeat_interleave: with several keys, heads use the key of another group.
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
        query = split_heads(self.w_q(x), self.num_heads)
        key = split_heads(self.w_k(x), self.num_kv_heads)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        query, key = self.rotate(query, start), self.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat(1, group, 1, 1) for shared in (key, value))
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))

# %% wrong: repeated-before-kept | The keys and values are repeated for all heads first and then put into the cache, which so holds num_heads of them instead of num_kv_heads: the sharing saves nothing.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.head_dim = d_model // num_heads
        self.n_rep = num_heads // num_kv_heads
        self.w_q = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * self.head_dim, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        xq = split_heads(self.w_q(x), self.num_heads)
        xk = split_heads(self.w_k(x), self.num_kv_heads)
        xv = split_heads(self.w_v(x), self.num_kv_heads)
        xq, xk = self.rotate(xq, start), self.rotate(xk, start)
        keys = xk.repeat_interleave(self.n_rep, dim=1)
        values = xv.repeat_interleave(self.n_rep, dim=1)
        if cache is not None:
            keys, values = cache.append(keys, values)
        output = F.scaled_dot_product_attention(xq, keys, values, attn_mask=mask)
        return self.w_o(merge_heads(output))

# %% wrong: rotated-after-the-cache | The keys are kept unrotated, and all that come out of the cache are rotated with the start of the present call: the oldest key is taken for the one at position start, so with start > 0 all keys stand too far.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_k * num_heads, bias=False)
        self.w_k = nn.Linear(d_model, d_k * num_kv_heads, bias=False)
        self.w_v = nn.Linear(d_model, d_k * num_kv_heads, bias=False)
        self.w_o = nn.Linear(d_k * num_heads, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        query = split_heads(self.w_q(x), self.num_heads)
        key = split_heads(self.w_k(x), self.num_kv_heads)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        query, key = self.rotate(query, start), self.rotate(key, start)
        group = self.num_heads // self.num_kv_heads
        grouped = query.unflatten(1, (self.num_kv_heads, group))
        scores = grouped @ key.unsqueeze(2).transpose(-2, -1) / math.sqrt(query.size(-1))
        if mask is not None:
            scores = scores.flatten(1, 2).masked_fill(~mask, -math.inf).view_as(scores)
        heads = (scores.softmax(dim=-1) @ value.unsqueeze(2)).flatten(1, 2)
        return self.w_o(merge_heads(heads))

# %% wrong: values-rotated-too | The values are rotated like queries and keys: what a head finds then depends on where it stands, although positions should count in the scores alone.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = d_model * num_kv_heads // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k, self.w_v = (nn.Linear(d_model, kv_width, bias=False) for _ in range(2))
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        counts = (self.num_heads, self.num_kv_heads, self.num_kv_heads)
        projections = (self.w_q, self.w_k, self.w_v)
        query, key, value = (
            self.rotate(split_heads(project(x), count), start)
            for project, count in zip(projections, counts)
        )
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat_interleave(group, 1) for shared in (key, value))
        return self.w_o(merge_heads(F.scaled_dot_product_attention(query, key, value, mask)))

# %% right: repeat-kv
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.rotate = apply_rotary
        head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, num_heads * head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * head_dim, d_model, bias=False)
    @staticmethod
    def repeat_kv(hidden_states, n_rep):
        batch, num_key_value_heads, slen, head_dim = hidden_states.shape
        hidden_states = hidden_states[:, :, None, :, :].expand(
            batch, num_key_value_heads, n_rep, slen, head_dim
        )
        return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
    def forward(self, x, mask=None, start=0, cache=None):
        bsz, seqlen, _ = x.shape
        xq = self.w_q(x).view(bsz, seqlen, self.num_heads, -1).transpose(1, 2)
        xk = self.w_k(x).view(bsz, seqlen, self.num_kv_heads, -1).transpose(1, 2)
        xv = self.w_v(x).view(bsz, seqlen, self.num_kv_heads, -1).transpose(1, 2)
        xq, xk = self.rotate(xq, start), self.rotate(xk, start)
        if cache is not None:
            xk, xv = cache.append(xk, xv)
        n_rep = self.num_heads // self.num_kv_heads
        output = F.scaled_dot_product_attention(
            xq, self.repeat_kv(xk, n_rep), self.repeat_kv(xv, n_rep), attn_mask=mask
        )
        return self.w_o(output.transpose(1, 2).reshape(bsz, seqlen, -1))
