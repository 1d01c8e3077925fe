# %% wrong: sigmoid-only | Only the SiLU is mended: gate and up are still added instead of multiplied, so nothing is gated, and with a w_gate of zeros x @ w_up comes through unchanged.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * torch.sigmoid(gate)
    passed = gate + (x @ w_up)
    return passed @ w_down

# %% wrong: softmax-over-features | The sum is made a product, but the softmax only gets another axis, the features, instead of becoming a sigmoid: positions are separate now, but gate times softmax is no SiLU.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * torch.softmax(gate, dim=-1)
    passed = gate * (x @ w_up)
    return passed @ w_down

# %% wrong: silu-on-the-wrong-one | The SiLU is applied to x @ w_up instead of to the gate, x @ w_gate: the two matrices have changed their roles.
def swiglu(x, w_gate, w_up, w_down):
    return (torch.matmul(x, w_gate) * F.silu(torch.matmul(x, w_up))) @ w_down

# %% wrong: geglu | The gate goes through GELU instead of SiLU: that is GEGLU (of the same paper, as in newer T5 models), not SwiGLU.
def swiglu(x, w_gate, w_up, w_down):
    hidden_gelu = F.gelu(x @ w_gate)
    hidden_linear = x @ w_up
    hidden_states = hidden_gelu * hidden_linear
    return hidden_states @ w_down

# %% wrong: sigmoid-overwrites-the-gate | sigmoid_ works in place, so gate itself already holds its sigmoid when it is multiplied: the gate is sigmoid squared instead of gate times sigmoid (and with a w_gate of zeros a quarter passes).
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    opened = gate.sigmoid_()
    return torch.einsum("ntf,fd->ntd", gate * opened * up, w_down)

# %% right: llama-mlp
def swiglu(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down

# %% right: both-at-once
def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.cat([w_gate, w_up], dim=1)).chunk(2, dim=-1)
    opened = gate * gate.sigmoid()
    return torch.einsum("ntf,fd->ntd", opened * up, w_down)
