# %% wrong: start-and-cache-kept-back | Hands only x and the mask to the attention, not start and cache: with a cache, the new token is rotated as if it stood at position 0, sees no earlier tokens and is not kept.
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
        x = x + self.attention(self.attention_norm(x), mask)
        normed = self.network_norm(x)
        gated = F.silu(self.w_gate(normed)) * self.w_up(normed)
        output = x + self.w_down(gated)
        return output

# %% wrong: gptj-parallel | Runs attention and network side by side, as GPT-J and PaLM do: the network reads the norm of the layer's input instead of that of the sum after attention.
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
        attn_output = self.attention(self.attention_norm(x), mask=mask, start=start, cache=cache)
        hidden_states = self.network_norm(x)
        feed_forward = self.w_down(F.silu(self.w_gate(hidden_states)) * self.w_up(hidden_states))
        return attn_output + feed_forward + residual

# %% wrong: llama-w1-and-w3-exchanged | Applies SiLU to x W_up and multiplies by x W_gate, so the two matrices have exchanged their roles: SiLU belongs to the gate.
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
        w1, w2, w3 = self.w_up, self.w_down, self.w_gate
        return w2(F.silu(w1(x)) * w3(x))
    def forward(self, x, mask=None, start=0, cache=None):
        h = x + self.attention(self.attention_norm(x), mask, start, cache)
        out = h + self.feed_forward(self.network_norm(h))
        return out

# %% wrong: normed-on-the-straight-way | Adds the network's result to the normed vector that the network has read instead of to x after attention: in pre-norm the sum is never normalized.
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate, self.w_up = (nn.Linear(d_model, d_ff, bias=False) for _ in range(2))
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        attended = self.attention(self.attention_norm(x), mask, start, cache)
        x = self.network_norm(torch.add(x, attended))
        gate = self.w_gate(x)
        return torch.add(x, self.w_down(gate * gate.sigmoid() * self.w_up(x)))

# %% wrong: gelu-and-no-first-sum | Two mistakes. Gates with GELU (GeGLU) instead of SiLU; and leaves out the sum around attention, so its result replaces x.
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
        def attend(y):
            return self.attention(self.attention_norm(y), mask, start, cache)
        def network(y):
            y = self.network_norm(y)
            return self.w_down(F.gelu(self.w_gate(y)).mul(self.w_up(y)))
        attended = attend(x)
        return attended + network(attended)

# %% right: llama-methods
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
    def feed_forward(self, x):
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))
    def forward(self, x, mask=None, start=0, cache=None):
        h = x + self.attention(self.attention_norm(x), mask=mask, start=start, cache=cache)
        return h + self.feed_forward(self.network_norm(h))

# %% right: gate-and-up-at-once
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm, self.network_norm = (nn.RMSNorm(d_model, eps=1e-6) for _ in range(2))
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.w_gate, self.w_up = (nn.Linear(d_model, d_ff, bias=False) for _ in range(2))
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        x = torch.add(self.attention(self.attention_norm(x), mask, start, cache), x)
        both = torch.cat([self.w_gate.weight, self.w_up.weight])
        gate, up = F.linear(self.network_norm(x), both).chunk(2, dim=-1)
        return torch.add(self.w_down(gate * torch.sigmoid(gate) * up), x)
