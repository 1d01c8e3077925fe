# %% wrong: tiled-keys | Repeats the keys with repeat, which lays the whole set behind itself (0, 1, 0, 1), so heads that share a key are not neighbors. The first heads use key 0, the next as many key 1: repeat_interleave.
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
        query, key = self.rotate(query, start), self.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat(1, group, 1, 1) for shared in (key, value))
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))

# %% wrong: repeated-before-kept | Repeats the keys and values before they are put into the cache, so it keeps (N, H, T, d_k) and sharing saves nothing. The cache keeps the shared ones, (N, num_kv_heads, T_k, d_k).
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
        query, key = self.rotate(query, start), self.rotate(key, start)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat_interleave(group, dim=1) for shared in (key, value))
        if cache is not None:
            key, value = cache.append(key, value)
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))

# %% wrong: huggingface-expand-on-the-wrong-side | Puts the new axis of the group in front of the heads of the keys instead of behind them before it expands, so after the reshape the keys come in turn (0, 1, 0, 1) and neighboring heads do not share.
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
        def repeat_kv(hidden_states, n_rep):
            batch, num_key_value_heads, slen, head_dim = hidden_states.shape
            hidden_states = hidden_states[:, None, :, :, :].expand(
                batch, n_rep, num_key_value_heads, slen, head_dim
            )
            return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        query_states = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key_states = self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start)
        value_states = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key_states, value_states = cache.append(key_states, value_states)
        n_rep = self.num_heads // self.num_kv_heads
        attn_output = F.scaled_dot_product_attention(
            query_states, repeat_kv(key_states, n_rep), repeat_kv(value_states, n_rep), mask
        )
        return self.w_o(merge_heads(attn_output))

# %% wrong: nanogpt-always-causal | Calls the kernel with is_causal=True and never looks at the mask. Without a mask nothing may be hidden; and with a cache the kernel's triangle begins at the first key, so a new token sees only the oldest ones.
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
        query, key = self.rotate(query, start), self.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        n_rep = self.num_heads // self.num_kv_heads
        k, v = key.repeat_interleave(n_rep, 1), value.repeat_interleave(n_rep, 1)
        y = F.scaled_dot_product_attention(query, k, v, attn_mask=None, is_causal=True)
        return self.w_o(merge_heads(y))

# %% wrong: grouped-einsum-axes-swapped | Computes all in einsum with an axis for the group, but cuts the heads into (group, num_kv_heads) instead of (num_kv_heads, group), so head h uses key h modulo num_kv_heads instead of h divided by the group.
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
        query, key = self.rotate(query, start), self.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        cut = query.unflatten(1, (group, self.num_kv_heads))
        scores = torch.einsum("ngkqd,nktd->ngkqt", cut, key) / math.sqrt(query.size(-1))
        if mask is not None:
            allowed = mask.expand(query.size(0), self.num_heads, *scores.shape[-2:])
            allowed = allowed.unflatten(1, (group, self.num_kv_heads))
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        found = torch.einsum("ngkqt,nktd->ngkqd", scores.softmax(dim=-1), value)
        return self.w_o(merge_heads(found.flatten(1, 2)))

# %% wrong: two-biases-and-scaled-twice | Two mistakes. Leaves bias=False out of the projections, so each has a bias; and divides the queries by the root of d_k, which the kernel does once more.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, num_heads * self.d_k)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.d_k)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.d_k)
        self.w_o = nn.Linear(num_heads * self.d_k, d_model)
    def forward(self, x, mask=None, start=0, cache=None):
        query = self.rotate(split_heads(self.w_q(x), self.num_heads), start) * self.d_k**-0.5
        key = self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat_interleave(group, dim=1) for shared in (key, value))
        return self.w_o(merge_heads(F.scaled_dot_product_attention(query, key, value, mask)))

# %% wrong: start-read-after-append | Takes the position from the cache's length but only after the new keys are in it, and rotates the queries with that: they are turned too far by the number of new tokens, while the keys were turned rightly before.
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
        key = self.rotate(key, start)
        at = start
        if cache is not None:
            key, value = cache.append(key, value)
            at = cache.length
        query = self.rotate(query, at)
        group = self.num_heads // self.num_kv_heads
        key, value = (shared.repeat_interleave(group, dim=1) for shared in (key, value))
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))

# %% wrong: rotated-before-the-split | Rotates the projected vectors as a whole, before the heads are cut. Then the rates fall over all of D instead of over d_k, so later heads get slow rates only and a key's pairs other rates than its queries'; rotation comes after the split.
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
        times = self.num_heads // self.num_kv_heads
        heads = F.scaled_dot_product_attention(
            query,
            torch.repeat_interleave(key, times, dim=1),
            torch.repeat_interleave(value, times, dim=1),
            attn_mask=mask,
        )
        return self.w_o(merge_heads(heads))

# %% right: huggingface-way
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
        def repeat_kv(hidden_states, n_rep):
            batch, kv_heads, slen, head_dim = hidden_states.shape
            hidden_states = hidden_states[:, :, None].expand(batch, kv_heads, n_rep, slen, head_dim)
            return hidden_states.reshape(batch, kv_heads * n_rep, slen, head_dim)
        query_states = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key_states = self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start)
        value_states = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key_states, value_states = cache.append(key_states, value_states)
        n_rep = self.num_heads // self.num_kv_heads
        attn_output = F.scaled_dot_product_attention(
            query_states,
            repeat_kv(key_states, n_rep),
            repeat_kv(value_states, n_rep),
            attn_mask=mask,
        )
        return self.w_o(merge_heads(attn_output))

# %% right: indexed-heads
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
        query, key = self.rotate(query, start), self.rotate(key, start)
        if cache is not None:
            key, value = cache.append(key, value)
        heads_of_keys = torch.arange(self.num_heads, device=x.device)
        uses = torch.div(heads_of_keys * self.num_kv_heads, self.num_heads, rounding_mode="floor")
        heads = F.scaled_dot_product_attention(query, key[:, uses], value[:, uses], mask)
        return self.w_o(merge_heads(heads))
