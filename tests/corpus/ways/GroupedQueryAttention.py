# %% right: field_repeat_kv_by_expand
def repeat_kv(x, n_rep):
    bs, n_kv_heads, slen, head_dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, None].expand(bs, n_kv_heads, n_rep, slen, head_dim).reshape(bs, n_kv_heads * n_rep, slen, head_dim)
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
        bsz, seqlen, _ = x.shape
        xq = self.w_q(x).view(bsz, seqlen, self.num_heads, self.head_dim).transpose(1, 2)
        xk = self.w_k(x).view(bsz, seqlen, self.num_kv_heads, self.head_dim).transpose(1, 2)
        xv = self.w_v(x).view(bsz, seqlen, self.num_kv_heads, self.head_dim).transpose(1, 2)
        xq, xk = self.rotate(xq, start), self.rotate(xk, start)
        if cache is not None:
            xk, xv = cache.append(xk, xv)
        keys, values = repeat_kv(xk, self.n_rep), repeat_kv(xv, self.n_rep)
        scores = torch.matmul(xq, keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        output = torch.matmul(F.softmax(scores, dim=-1), values)
        return self.w_o(output.transpose(1, 2).contiguous().view(bsz, seqlen, -1))
# %% right: field_queries_in_groups_by_einsum
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.num_heads, self.num_kv_heads, self.rotate = num_heads, num_kv_heads, apply_rotary
        head_dim = d_model // num_heads
        self.scale = head_dim**-0.5
        self.w_q = nn.Linear(d_model, num_heads * head_dim, bias=False)
        self.w_k = nn.Linear(d_model, num_kv_heads * head_dim, bias=False)
        self.w_v = nn.Linear(d_model, num_kv_heads * head_dim, bias=False)
        self.w_o = nn.Linear(num_heads * head_dim, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        b, n, _ = x.shape
        q = self.w_q(x).view(b, n, self.num_heads, -1).transpose(1, 2)
        k = self.w_k(x).view(b, n, self.num_kv_heads, -1).transpose(1, 2)
        v = self.w_v(x).view(b, n, self.num_kv_heads, -1).transpose(1, 2)
        q, k = self.rotate(q * self.scale, start), self.rotate(k, start)
        if cache is not None:
            k, v = cache.append(k, v)
        q = q.unflatten(1, (self.num_kv_heads, -1))  # (b, h, g, n, d)
        scores = torch.einsum("bhgnd,bhsd->bhgns", q, k)
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(2), -torch.finfo(scores.dtype).max)
        out = torch.einsum("bhgns,bhsd->bhgnd", scores.softmax(dim=-1), v)
        return self.w_o(out.flatten(1, 2).transpose(1, 2).flatten(2))
