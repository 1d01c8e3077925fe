# %% right: field_residual_and_hidden_states
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        self.act_fn = nn.SiLU()
    def forward(self, x, mask=None, start=0, cache=None):
        residual = x
        hidden_states = self.attention_norm(x)
        hidden_states = self.attention(hidden_states, mask=mask, start=start, cache=cache)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.network_norm(hidden_states)
        hidden_states = self.w_down(self.act_fn(self.w_gate(hidden_states)) * self.w_up(hidden_states))
        return residual + hidden_states
# %% right: field_norm_of_its_own_and_swish_by_hand
class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))
    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
    def forward(self, x):
        return self._norm(x) * self.weight
class LlamaLayer(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff):
        super().__init__()
        self.attention_norm = RMSNorm(d_model)
        self.attention = GroupedQueryAttention(d_model, num_heads, num_kv_heads)
        self.network_norm = RMSNorm(d_model)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
    def forward(self, x, mask=None, start=0, cache=None):
        h = x + self.attention(self.attention_norm(x), mask, start, cache)
        y = self.network_norm(h)
        gate = self.w_gate(y)
        return h + self.w_down(gate * torch.sigmoid(gate) * self.w_up(y))
