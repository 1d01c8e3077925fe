# %% wrong: tiled-keys | The shared keys and values are expanded on an axis in FRONT of the key heads, so they come in the order 0, 1, 0, 1 (as with repeat), and head h uses key h modulo num_kv_heads. Neighboring heads have to share one: 0, 0, 1, 1, the new axis behind the key heads (repeat_interleave).
def repeat_kv(hidden_states, n_rep):
    batch, num_key_value_heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, None, :, :, :].expand(
        batch, n_rep, num_key_value_heads, slen, head_dim
    )
    return hidden_states.reshape(batch, n_rep * num_key_value_heads, slen, head_dim)
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
    def forward(self, x, mask=None, start=0, cache=None):
        bsz, q_len, _ = x.size()
        query_states = self.w_q(x).view(bsz, q_len, -1, self.head_dim).transpose(1, 2)
        key_states = self.w_k(x).view(bsz, q_len, -1, self.head_dim).transpose(1, 2)
        value_states = self.w_v(x).view(bsz, q_len, -1, self.head_dim).transpose(1, 2)
        query_states = self.rotate(query_states, start)
        key_states = self.rotate(key_states, start)
        if cache is not None:
            key_states, value_states = cache.append(key_states, value_states)
        key_states = repeat_kv(key_states, self.num_key_value_groups)
        value_states = repeat_kv(value_states, self.num_key_value_groups)
        attn_output = F.scaled_dot_product_attention(
            query_states, key_states, value_states, attn_mask=mask
        )
        attn_output = attn_output.transpose(1, 2).contiguous().reshape(bsz, q_len, -1)
        return self.w_o(attn_output)

# %% wrong: rotated-after-the-cache | The keys go into the cache as they are, and all that come out of it are rotated as if the first of them stood at `start`. But the first in the cache stands at position 0 (only the new ones begin at start), so with a cache all distances are wrong by start; the new keys have to be rotated before they are kept.
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
        q = split_heads(self.w_q(x), self.num_heads)
        k = split_heads(self.w_k(x), self.num_kv_heads)
        v = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            k, v = cache.append(k, v)
        q, k = (self.rotate(part, start) for part in (q, k))
        times = self.num_heads // self.num_kv_heads
        k = k.repeat_interleave(times, dim=1)
        v = v.repeat_interleave(times, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.w_o(merge_heads(y))

# %% wrong: repeated-before-kept | Keys and values are repeated to all heads before they go into the cache, so it holds (N, num_heads, T_k, d_k) instead of the shared (N, num_kv_heads, T_k, d_k), and saves nothing. The outputs are right; they should be kept first and repeated afterwards.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        d_k = d_model // num_heads
        self.group = num_heads // num_kv_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, d_k * num_kv_heads, bias=False)
        self.w_v = nn.Linear(d_model, d_k * num_kv_heads, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def shared(self, project, x):
        heads = split_heads(project(x), self.num_kv_heads)
        return heads.unsqueeze(2).expand(-1, -1, self.group, -1, -1).flatten(1, 2)
    def forward(self, x, mask=None, start=0, cache=None):
        query = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key = self.rotate(self.shared(self.w_k, x), start)
        value = self.shared(self.w_v, x)
        if cache is not None:
            key, value = cache.append(key, value)
        heads = F.scaled_dot_product_attention(query, key, value, mask)
        return self.w_o(merge_heads(heads))

# %% wrong: root-of-the-model | The attention is computed by hand, with one einsum for all groups, and the scores are divided by the root of d_model (the size of x's last axis) instead of by the root of d_k, the size of a head: the softmax is too flat.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = d_model * num_kv_heads // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, kv_width, bias=False)
        self.w_v = nn.Linear(d_model, kv_width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
        self.scale = math.sqrt(d_model)
    def forward(self, x, mask=None, start=0, cache=None):
        query = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key = self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        groups = query.unflatten(1, (self.num_kv_heads, -1))
        scores = torch.einsum("nkgtd,nksd->nkgts", groups, key).flatten(1, 2) / self.scale
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1).unflatten(1, (self.num_kv_heads, -1))
        found = torch.einsum("nkgts,nksd->nkgtd", weights, value).flatten(1, 2)
        return self.w_o(merge_heads(found))

# %% wrong: rotated-before-the-split | Queries and keys are rotated as whole vectors, (N, T, width), before they are cut into heads, so the rates base^(-2i/width) run once over all heads together, and differently for queries and keys, which are not equally wide; each head's d_k features have to be rotated by the rates of d_k, after the split.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        kv_width = (d_model // num_heads) * num_kv_heads
        for name, out in (("w_q", d_model), ("w_k", kv_width), ("w_v", kv_width), ("w_o", d_model)):
            setattr(self, name, nn.Linear(d_model, out, bias=False))
    def forward(self, x, mask=None, start=0, cache=None):
        query, key = self.rotate(self.w_q(x), start), self.rotate(self.w_k(x), start)
        query = split_heads(query, self.num_heads)
        key = split_heads(key, self.num_kv_heads)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        owner = torch.arange(self.num_heads, device=x.device)
        owner = owner // (self.num_heads // self.num_kv_heads)
        heads = F.scaled_dot_product_attention(query, key[:, owner], value[:, owner], mask)
        return self.w_o(merge_heads(heads))

# %% wrong: always-causal | As in nanoGPT, the kernel is called with is_causal=True and without the mask. Without a mask nothing should be hidden, and another mask is ignored; and with a cache (fewer queries than keys) is_causal lines up at the upper left, so a new token sees only the oldest keys and not the newest.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.hs = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.hs, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.hs, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        B, T, C = x.size()
        q = self.w_q(x).view(B, T, self.num_heads, self.hs).transpose(1, 2)
        k = self.w_k(x).view(B, T, self.num_kv_heads, self.hs).transpose(1, 2)
        v = self.w_v(x).view(B, T, self.num_kv_heads, self.hs).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if cache is not None:
            k, v = cache.append(k, v)
        n_rep = self.num_heads // self.num_kv_heads
        k, v = (torch.repeat_interleave(t, n_rep, dim=1) for t in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=True)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)

# %% wrong: values-turned-without-start | Two mistakes. The values are rotated like queries and keys, so what a head finds depends on where it stood (only queries and keys are to be turned); and `start` is not passed on, so the tokens of every later call with a cache are taken to stand at position 0 again.
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.d_k, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.d_k, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        def turned(project, num_heads):
            return self.rotate(split_heads(project(x), num_heads))
        query = turned(self.w_q, self.num_heads)
        key, value = (turned(project, self.num_kv_heads) for project in (self.w_k, self.w_v))
        if cache is not None:
            key, value = cache.append(key, value)
        group = self.num_heads // self.num_kv_heads
        key, value = (part.repeat_interleave(group, 1) for part in (key, value))
        return self.w_o(merge_heads(F.scaled_dot_product_attention(query, key, value, mask)))

# %% right: groups-by-einsum
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.d_k, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.d_k, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        query = self.rotate(split_heads(self.w_q(x), self.num_heads), start)
        key = self.rotate(split_heads(self.w_k(x), self.num_kv_heads), start)
        value = split_heads(self.w_v(x), self.num_kv_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        groups = query.unflatten(1, (self.num_kv_heads, -1))
        scores = torch.einsum("nkgtd,nksd->nkgts", groups, key).flatten(1, 2) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1).unflatten(1, (self.num_kv_heads, -1))
        found = torch.einsum("nkgts,nksd->nkgtd", weights, value).flatten(1, 2)
        return self.w_o(merge_heads(found))

# %% right: repeat-kv
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        self.rotate = apply_rotary
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = d_model // num_heads
        self.w_q = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * self.head_dim, d_model, bias=False)
    def repeat_kv(self, x):
        bs, n_kv_heads, slen, head_dim = x.shape
        x = x[:, :, None].expand(bs, n_kv_heads, self.n_rep, slen, head_dim)
        return x.reshape(bs, n_kv_heads * self.n_rep, slen, head_dim)
    def forward(self, x, mask=None, start=0, cache=None):
        bsz, seqlen, _ = x.shape
        xq = self.w_q(x).view(bsz, seqlen, self.num_heads, self.head_dim).transpose(1, 2)
        xk = self.w_k(x).view(bsz, seqlen, self.num_kv_heads, self.head_dim).transpose(1, 2)
        xv = self.w_v(x).view(bsz, seqlen, self.num_kv_heads, self.head_dim).transpose(1, 2)
        xq, xk = self.rotate(xq, start), self.rotate(xk, start)
        if cache is not None:
            xk, xv = cache.append(xk, xv)
        output = F.scaled_dot_product_attention(
            xq, self.repeat_kv(xk), self.repeat_kv(xv), attn_mask=mask, dropout_p=0.0
        )
        output = output.transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        return self.w_o(output)
