# %% wrong: silu-on-the-wrong-matrix | Puts the SiLU on w_up's product instead of on w_gate's, so the two matrices change places.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        x = x + self.attention(self.attention_norm(x), mask, start, cache)
        normed = self.network_norm(x)
        gated = self.w_gate(normed) * F.silu(self.w_up(normed))
        output = x + self.w_down(gated)
        return output

# %% wrong: residual-of-the-normed | Adds the network's result to the normed vector instead of to x, so what goes straight through is the norm. In pre-norm the sum is of x as it came.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        x = x + self.attention(self.attention_norm(x), mask, start, cache)
        x = self.network_norm(x)
        gated = F.silu(self.w_gate(x)) * self.w_up(x)
        return x + self.w_down(gated)

# %% wrong: caller-changed | Adds in place, x += ..., so the tensor that the caller passed in is overwritten. Nothing may be changed in place.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        x += self.attention(self.attention_norm(x), mask, start, cache)
        normed = self.network_norm(x)
        gated = F.silu(self.w_gate(normed)) * self.w_up(normed)
        return x + self.w_down(gated)

# %% wrong: two-gelu-and-no-residual | Two mistakes. Uses GELU for the gate (GEGLU) instead of SiLU; and returns the network's result without adding x to it.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        hidden_states = x + self.attention(self.attention_norm(x), mask, start, cache)
        hidden_states = self.network_norm(hidden_states)
        act_fn = nn.GELU()
        return self.w_down(act_fn(self.w_gate(hidden_states)) * self.w_up(hidden_states))

# %% wrong: one-norm-for-both | Uses attention_norm before the network as well, as if the two norms were alike. Each has a gain of its own, and network_norm is never used.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        def normed(hidden):
            return self.attention_norm(hidden)
        x = x + self.attention(normed(x), mask, start, cache)
        read = normed(x)
        wide = torch.einsum("ntf,ntf->ntf", F.silu(self.w_gate(read)), self.w_up(read))
        return x + self.w_down(wide)

# %% right: meta-way
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        def feed_forward(h):
            return self.w_down(F.silu(self.w_gate(h)) * self.w_up(h))
        h = x + self.attention.forward(self.attention_norm(x), mask, start, cache)
        out = h + feed_forward(self.network_norm(h))
        return out

# %% right: sigmoid-written-out
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        read = self.attention_norm(x)
        middle = torch.add(self.attention(read, mask=mask, cache=cache, start=start), x)
        read = self.network_norm(middle)
        weight = torch.cat([self.w_gate.weight, self.w_up.weight])
        gate, up = F.linear(read, weight).chunk(2, dim=-1)
        return middle + self.w_down(gate * gate.sigmoid() * up)
