# %% wrong: softmax-over-the-features | The product is mended, but the softmax is only moved to the last axis instead of being replaced by a sigmoid. Each position is by itself now and a gate of zeros gives 0, but SiLU is z * sigmoid(z), each number by itself; a softmax makes the hidden units of a position compete and share 1.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * torch.softmax(gate, dim=-1)
    passed = gate * (x @ w_up)
    return passed @ w_down

# %% wrong: glu-bare-sigmoid | The gate is the sigmoid alone (the older GLU) instead of SiLU, z * sigmoid(z): the factor z is lost. With w_gate of zeros it lets one half of w_up's part pass, where the result must be 0.
def swiglu(x, w_gate, w_up, w_down):
    gate, up = torch.matmul(x, w_gate), torch.matmul(x, w_up)
    opened = torch.sigmoid(gate)
    return torch.matmul(opened * up, w_down)

# %% wrong: llama-silu-on-the-other-branch | Gate and up are mixed up: SiLU is applied to the w_up branch and the w_gate branch stays linear, while the gate is the one that is followed by SiLU and the other is only multiplied by it.
def swiglu(x, w_gate, w_up, w_down):
    w1, w2, w3 = w_up.t(), w_down.t(), w_gate.t()
    return F.linear(F.silu(F.linear(x, w1)) * F.linear(x, w3), w2)

# %% wrong: einsum-sum-left | Only the SiLU is mended. The gate is still added to the other branch instead of multiplying it elementwise, so it does not decide how much passes, and with w_gate of zeros w_up's part comes through whole.
def swiglu(x, w_gate, w_up, w_down):
    gate = F.silu(torch.einsum("ntd,df->ntf", x, w_gate))
    up = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", torch.add(gate, up), w_down)

# %% wrong: silu-times-z-again | F.silu stands where the sigmoid should: SiLU already contains the factor z, so gate * F.silu(gate) is z * z * sigmoid(z), with one z too many.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * F.silu(gate)
    passed = gate * (x @ w_up)
    return passed @ w_down

# %% right: one-product-in-two-halves
def swiglu(x, w_gate, w_up, w_down):
    both = x @ torch.cat([w_gate, w_up], dim=1)
    z, up = both.chunk(2, dim=-1)
    passed = z / (1 + torch.exp(-z.clamp(min=-80))) * up
    return passed @ w_down
