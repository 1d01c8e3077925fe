# %% wrong: residual-of-the-norm | x is overwritten by its norm before each sublayer, so the sums add what the sublayer returns to the NORM of x instead of to x itself; in pre-norm only the sublayer reads the norm, and the straight way stays as it is.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def network(self, x):
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))
    def forward(self, x, mask=None, start=0, cache=None):
        x = self.attention_norm(x)
        x = x + self.attention(x, mask, start, cache)
        x = self.network_norm(x)
        return x + self.network(x)

# %% wrong: parallel | As in GPT-J and PaLM, attention and network both read the layer's input side by side and are added to it together; in Llama the network reads the norm of the sum after attention, so one comes after the other.
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
        attn_outputs = self.attention(self.attention_norm(x), mask=mask, start=start, cache=cache)
        hidden_states = self.network_norm(x)
        feed_forward = self.w_down(F.silu(self.w_gate(hidden_states)) * self.w_up(hidden_states))
        return attn_outputs + feed_forward + residual

# %% wrong: gelu-gate | The gate goes through GELU, as in Gemma (GEGLU); SwiGLU's gate is SiLU(z) = z * sigmoid(z), F.silu.
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
        h = x + self.attention(self.attention_norm(x), mask, start, cache)
        gate = self.w_gate(self.network_norm(h))
        gate = F.gelu(gate, approximate="tanh")
        up = self.w_up(self.network_norm(h))
        fuse = gate * up
        return h + self.w_down(fuse)

# %% wrong: silu-of-the-product | SiLU is applied to the product of gate and up instead of to the gate alone: silu(x W_gate * x W_up) where it should be silu(x W_gate) * x W_up.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        self.act = nn.SiLU()
    def forward(self, x, mask=None, start=0, cache=None):
        def attend(y):
            return self.attention(y, mask, start, cache)
        def transform(y):
            return self.w_down(self.act(self.w_gate(y) * self.w_up(y)))
        for norm, sublayer in ((self.attention_norm, attend), (self.network_norm, transform)):
            x = torch.add(x, sublayer(norm(x)))
        return x

# %% wrong: start-not-passed | Attention is given the mask and the cache, but not `start`, so its default 0 is used: in decoding with a cache each new token is rotated as if it stood at position 0. Without a cache, or from position 0 on, nothing is wrong.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.attention_norm, self.network_norm = (nn.RMSNorm(d_model, eps=1e-6) for _ in range(2))
        self.w_gate, self.w_up = (nn.Linear(d_model, d_ff, bias=False) for _ in range(2))
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        attended = x + self.attention(self.attention_norm(x), mask=mask, cache=cache)
        normed = self.network_norm(attended)
        gate = self.w_gate(normed)
        gated = gate * torch.sigmoid(gate) * self.w_up(normed)
        return attended + self.w_down(gated)

# %% wrong: post-norm-sigmoid | Two mistakes. The layer is post-norm: the sublayers read x as it is and the sums are normalized, where pre-norm normalizes what the sublayer reads and leaves the sum alone. And the gate is a plain sigmoid (the original GLU) instead of SiLU(z) = z * sigmoid(z).
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
        x = self.attention_norm(x + self.attention(x, mask, start, cache))
        both = torch.cat([self.w_up(x), self.w_gate(x)], dim=-1)
        output = self.network_norm(x + self.w_down(F.glu(both, dim=-1)))
        return output

# %% right: as-meta-writes-it
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
    def feed_forward(self, x):
        gate = self.w_gate(x)
        return self.w_down(gate * gate.sigmoid() * self.w_up(x))
    def forward(self, x, mask=None, start=0, cache=None):
        h = x + self.attention(self.attention_norm(x), mask=mask, start=start, cache=cache)
        out = h + self.feed_forward(self.network_norm(h))
        return out
