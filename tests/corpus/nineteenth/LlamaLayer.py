# %% wrong: residual-from-the-norm | The second sum adds the network's result to the normalized x, where it has to be added to x itself as it came out of the attention's sum.
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
        gated = F.silu(self.w_gate(normed)) * self.w_up(normed)
        output = normed + self.w_down(gated)
        return output

# %% wrong: silu-on-the-wrong-branch | The SiLU is on w_up's branch and w_gate's passes as it is; SwiGLU applies it to x W_gate, and x W_up stays linear.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def feed_forward(self, x):
        gate, up = self.w_gate(x), self.w_up(x)
        return self.w_down(gate * F.silu(up))
    def forward(self, x, mask=None, start=0, cache=None):
        h = x + self.attention(self.attention_norm(x), mask, start=start, cache=cache)
        return h + self.feed_forward(self.network_norm(h))

# %% wrong: start-not-passed | Passes mask and cache to the attention but not start, which is then 0 in every call, so new tokens that are read with a cache are rotated as if they were the first ones of the text.
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
        residual = x
        hidden = self.attention(self.attention_norm(x), mask=mask, cache=cache)
        hidden = residual + hidden
        residual = hidden
        hidden = self.network_norm(hidden)
        hidden = self.w_down(F.silu(self.w_gate(hidden)) * self.w_up(hidden))
        return residual + hidden

# %% wrong: parallel-sublayers | Attention and network both read the layer's input and are added in one sum, the parallel layer of GPT-J and PaLM; in Llama they come one after the other, and the network reads the norm of the sum after the attention.
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
        attended = self.attention(self.attention_norm(x), mask, start, cache)
        normed = self.network_norm(x)
        network = self.w_down(F.silu(self.w_gate(normed)) * self.w_up(normed))
        return x + attended + network

# %% wrong: added-in-place | Adds with +=, which writes the sum into the very tensor that the caller passed as x; a part changes nothing in place.
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
        x = x + self.w_down(F.silu(self.w_gate(normed)) * self.w_up(normed))
        return x

# %% wrong: sigmoid-no-second-sum | Two mistakes. The gate is a plain sigmoid (a GLU), where SiLU(z) is z times the sigmoid of z; and the network's result replaces x, because the second residual sum is missing.
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
        both = torch.cat([self.w_up(normed), self.w_gate(normed)], dim=-1)
        gated = F.glu(both, dim=-1)
        output = self.w_down(gated)
        return output

# %% right: silu-by-hand
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        for name in ("attention_norm", "network_norm"):
            setattr(self, name, nn.RMSNorm(d_model, eps=1e-6))
        for name, shape in (("w_gate", (d_model, d_ff)), ("w_up", (d_model, d_ff))):
            setattr(self, name, nn.Linear(*shape, bias=False))
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        def attended(vectors):
            return self.attention(vectors, mask=mask, start=start, cache=cache)
        def network(vectors):
            z = self.w_gate(vectors)
            return self.w_down(torch.sigmoid(z) * self.w_up(vectors) * z)
        parts = ((self.attention_norm, attended), (self.network_norm, network))
        for norm, sublayer in parts:
            x = x + sublayer(norm(x))
        return x
