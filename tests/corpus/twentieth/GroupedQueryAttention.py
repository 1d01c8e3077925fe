# %% wrong: repeat-as-a-whole | Repeats the keys as a whole with repeat, so heads get keys 0, 1, 0, 1; each key must be repeated in place (repeat_interleave), 0, 0, 1, 1, since neighboring heads form a group.
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

# %% wrong: hf-repeat-kv-before-the-cache | Repeats the keys and values before they go into the cache: the result is right, but the cache then holds one for each head, (N, H, T_k, d_k), instead of the shared ones only, and nothing is saved.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.head_dim = d_model // num_heads
        self.num_key_value_groups = num_heads // num_kv_heads
        self.w_q = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * self.head_dim, d_model, bias=False)
    def repeat_kv(self, hidden_states):
        batch, heads, slen, head_dim = hidden_states.shape
        n_rep = self.num_key_value_groups
        hidden_states = hidden_states[:, :, None].expand(batch, heads, n_rep, slen, head_dim)
        return hidden_states.reshape(batch, heads * n_rep, slen, head_dim)
    def forward(self, x, mask=None, start=0, cache=None):
        query_states = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key_states = self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start)
        value_states = split_heads(self.w_v(x), self.num_kv_heads)
        key_states, value_states = self.repeat_kv(key_states), self.repeat_kv(value_states)
        if cache is not None:
            key_states, value_states = cache.append(key_states, value_states)
        attn_output = F.scaled_dot_product_attention(
            query_states, key_states, value_states, attn_mask=mask
        )
        return self.w_o(attn_output.transpose(1, 2).flatten(2))

# %% wrong: rotated-before-the-split | Rotates the projections before they are cut into heads, over all features: the rates then run through the whole width, so each head gets other rates, instead of every head the same ones from its d_k features.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        d_k = d_model // num_heads
        for name, heads in (("w_q", num_heads), ("w_k", num_kv_heads), ("w_v", num_kv_heads)):
            setattr(self, name, nn.Linear(d_model, heads * d_k, bias=False))
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        turned = [self.rotate(project(x), start) for project in (self.w_q, self.w_k)]
        query = split_heads(turned[0], self.num_heads)
        key = split_heads(turned[1], self.num_kv_heads)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        group = query.size(1) // key.size(1)
        key = torch.repeat_interleave(key, group, dim=1)
        value = torch.repeat_interleave(value, group, dim=1)
        return self.w_o(merge_heads(F.scaled_dot_product_attention(query, key, value, mask)))

# %% wrong: nanogpt-is-causal | Takes every mask for the square causal one and passes is_causal=True instead: other masks are lost, and with a cache, where there are fewer queries than keys, is_causal aligns them at the start, so a new token sees the first keys only.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        assert num_heads % num_kv_heads == 0
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.head_size = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, self.head_size * num_kv_heads, bias=False)
        self.w_v = nn.Linear(d_model, self.head_size * num_kv_heads, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        B, T, C = x.size()
        q = self.w_q(x).view(B, T, self.num_heads, self.head_size).transpose(1, 2)
        k = self.w_k(x).view(B, T, self.num_kv_heads, self.head_size).transpose(1, 2)
        v = self.w_v(x).view(B, T, self.num_kv_heads, self.head_size).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if cache is not None:
            k, v = cache.append(k, v)
        n_rep = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(n_rep, dim=1), v.repeat_interleave(n_rep, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=mask is not None)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)

# %% wrong: einsum-groups-turned | Cuts the heads into (group, H_kv) instead of (H_kv, group) for the einsum: head h gets key h % H_kv, so the heads that share a key are not neighbors.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = num_kv_heads * (d_model // num_heads)
        self.w_q, self.w_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
        self.w_k, self.w_v = (nn.Linear(d_model, kv_width, bias=False) for _ in range(2))
    def forward(self, x, mask=None, start=0, cache=None):
        query = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key = self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        query = query.unflatten(1, (-1, self.num_kv_heads))
        scores = torch.einsum("ngktd,nksd->ngkts", query, key) / math.sqrt(query.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(1), -math.inf)
        heads = torch.einsum("ngkts,nksd->ngktd", scores.softmax(dim=-1), value)
        return self.w_o(merge_heads(heads.flatten(1, 2)))

# %% wrong: labml-values-turned-and-biases | Two mistakes. Rotates the values as well as queries and keys, so what is carried over depends on where it stood; and leaves nn.Linear's default bias in all four projections, where none may have one.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, num_heads * self.d_k)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.d_k)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.d_k)
        self.w_o = nn.Linear(d_model, d_model)
    def prepare(self, linear, x, heads, start):
        x = linear(x).view(*x.shape[:-1], heads, self.d_k)
        return self.rotate(x.transpose(-3, -2), start)
    def forward(self, x, mask=None, start=0, cache=None):
        query = self.prepare(self.w_q, x, self.num_heads, start)
        key = self.prepare(self.w_k, x, self.num_kv_heads, start)
        value = self.prepare(self.w_v, x, self.num_kv_heads, start)
        if cache is not None:
            key, value = cache.append(key, value)
        times = self.num_heads // self.num_kv_heads
        key, value = key.repeat_interleave(times, 1), value.repeat_interleave(times, 1)
        heads = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self.w_o(merge_heads(heads))

# %% right: expanded-after-the-cache
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, num_heads * head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * head_dim, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        queries = split_heads(self.w_q(x), self.num_heads)
        keys, values = (split_heads(w(x), self.num_kv_heads) for w in (self.w_k, self.w_v))
        queries, keys = (self.rotate(part, start) for part in (queries, keys))
        if cache is not None:
            keys, values = cache.append(keys, values)
        def repeat_kv(shared):
            n, kv, t, d = shared.shape
            shared = shared.unsqueeze(2).expand(n, kv, self.num_heads // kv, t, d)
            return shared.flatten(1, 2)
        out = F.scaled_dot_product_attention(
            queries, repeat_kv(keys), repeat_kv(values), attn_mask=mask
        )
        return self.w_o(merge_heads(out))
