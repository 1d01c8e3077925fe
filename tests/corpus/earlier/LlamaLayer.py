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
