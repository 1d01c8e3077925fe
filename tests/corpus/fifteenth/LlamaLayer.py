# %% wrong: side-by-side | Attention and network both read the layer's input x, and both results are added to it (as in GPT-J and PaLM): in Llama the network reads what attention has made of x.
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

# %% wrong: sigmoid-gate-no-start | Two mistakes: the gate is the sigmoid of x W_gate (a GLU) and not its SiLU, z * sigmoid(z); and start is not handed on to the attention, which rotates every call from position 0.
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
        x = x + self.attention(self.attention_norm(x), mask, cache=cache)
        normed = self.network_norm(x)
        gated = torch.sigmoid(self.w_gate(normed)) * self.w_up(normed)
        output = x + self.w_down(gated)
        return output

# %% wrong: cache-not-handed-on | start is passed to the attention, but the cache is not: with a cache each call sees its own tokens alone, and nothing is kept.
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
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))
    def forward(self, x, mask=None, start=0, cache=None):
        h = x + self.attention(self.attention_norm(x), mask=mask, start=start)
        return h + self.feed_forward(self.network_norm(h))

# %% wrong: sum-with-the-normed | The results are added to the normalized vectors and not to x itself: the residual connection does not carry x through any more.
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
        x = self.attention_norm(x)
        x = x + self.attention(x, mask, start, cache)
        x = self.network_norm(x)
        gated = nn.functional.silu(self.w_gate(x)) * self.w_up(x)
        return x + self.w_down(gated)

# %% right: meta-style
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
        z = self.w_gate(x)
        return self.w_down(z * torch.sigmoid(z) * self.w_up(x))
    def forward(self, x, mask=None, start=0, cache=None):
        h = x + self.attention(self.attention_norm(x), mask=mask, start=start, cache=cache)
        out = h + self.feed_forward(self.network_norm(h))
        return out
