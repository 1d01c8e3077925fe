# %% wrong: gate-still-added | SiLU is mended with the sigmoid, but the gate is still added to the second layer's result instead of multiplied with it: the student overlooks that a gate decides how much passes ("multiplied with the second, elementwise"), so with a w_gate of zeros the result is not 0.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * torch.sigmoid(gate)
    passed = gate + (x @ w_up)
    return passed @ w_down

# %% wrong: llama-silu-on-up | As in Llama's w2(silu(w1 x) * w3 x), but with the two first layers mixed up: SiLU acts on the result of w_up, and the gate stays linear. The text says that the first, with SiLU, is the gate.
def swiglu(x, w_gate, w_up, w_down):
    def up_proj(h):
        return F.linear(h, w_up.t())
    def gate_proj(h):
        return F.linear(h, w_gate.t())
    def down_proj(h):
        return F.linear(h, w_down.t())
    return down_proj(F.silu(up_proj(x)) * gate_proj(x))

# %% wrong: f-glu-on-halves | F.glu is used as if it were SwiGLU. It multiplies its first half by the sigmoid of its second half, so this computes gate * sigmoid(up): the sigmoid sees the wrong half, and the gate's own sigmoid (SiLU, z * sigmoid(z)) is missing.
def swiglu(x, w_gate, w_up, w_down):
    both = x @ torch.cat([w_gate, w_up], dim=1)
    passed = F.glu(both, dim=-1)
    return passed @ w_down

# %% wrong: two-plain-sigmoid-and-sum | Two mistakes. The gate is the sigmoid alone, without the z in z * sigmoid(z), so it is no SiLU. And the gate is still added to the second layer's result instead of multiplied with it, so with a w_gate of zeros the result is not 0.
def swiglu(x, w_gate, w_up, w_down):
    results = []
    for sentence in x:
        opened = 1 / (1 + torch.exp(-(sentence @ w_gate)))
        results.append((opened + sentence @ w_up) @ w_down)
    return torch.stack(results)

# %% right: one-matrix-in-two-halves
def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.hstack([w_gate, w_up])).chunk(2, dim=-1)
    return (F.silu(gate) * up) @ w_down

# %% right: unit-by-unit
def swiglu(x, w_gate, w_up, w_down):
    total = torch.zeros_like(x)
    for unit in range(w_gate.size(1)):
        z = x @ w_gate[:, unit]
        passed = torch.sigmoid(z) * z * (x @ w_up[:, unit])
        total = total + passed.unsqueeze(-1) * w_down[unit]
    return total
