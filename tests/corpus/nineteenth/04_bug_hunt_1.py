# %% wrong: plus-missed | Only the softmax was found. Gate and up are still added, so the gate does not decide how much passes: with w_gate = 0 the result is x @ w_up @ w_down and not 0. They must be multiplied.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * torch.sigmoid(gate)
    passed = gate + (x @ w_up)
    return passed @ w_down

# %% wrong: softmax-over-features | The softmax is taken for right and only its axis for wrong: it now runs over the features (dim=-1), so each position is computed by itself, but SiLU is gate * sigmoid(gate), each number by itself, and no softmax at all.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * torch.softmax(gate, dim=-1)
    passed = gate * (x @ w_up)
    return passed @ w_down

# %% wrong: silu-on-up | The SiLU is put on the other branch, on x @ w_up, and the gate goes in as it is; the first layer, w_gate, is the one with SiLU.
def swiglu(x, w_gate, w_up, w_down):
    w1, w2, w3 = w_gate, w_down, w_up
    return torch.matmul(torch.matmul(x, w1) * F.silu(torch.matmul(x, w3)), w2)

# %% wrong: sigmoid-only | The gate is sigmoid(gate), as in the first GLU, without the factor gate: SiLU is z * sigmoid(z). With w_gate = 0 half of everything passes, while the result must be 0.
def swiglu(x, w_gate, w_up, w_down):
    def gated(z):
        return z.sigmoid()
    opened = gated(torch.einsum("ntd,df->ntf", x, w_gate))
    brought = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", opened * brought, w_down)

# %% wrong: gelu-gate | The gate goes through GELU (that would be GEGLU) and not through SiLU, z * sigmoid(z), which SwiGLU has.
def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.cat((w_gate, w_up), dim=-1)).chunk(2, dim=-1)
    return (up * F.gelu(gate)) @ w_down

# %% wrong: silu-after-the-product | The SiLU is applied to the product of gate and up, and not to the gate alone before it is multiplied.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    up = x @ w_up
    hidden = F.silu(gate * up)
    return hidden @ w_down

# %% right: one-matrix-for-both
def swiglu(x, w_gate, w_up, w_down):
    both = x @ torch.cat([w_gate, w_up], dim=1)
    gate, up = both.split(w_gate.size(1), dim=-1)
    return F.linear(F.silu(gate) * up, w_down.t())

# %% right: expit
def swiglu(x, w_gate, w_up, w_down):
    z = torch.einsum("ntd,df->ntf", x, w_gate)
    swish = torch.special.expit(z) * z
    return torch.einsum("ntf,ntf,fd->ntd", swish, torch.matmul(x, w_up), w_down)
