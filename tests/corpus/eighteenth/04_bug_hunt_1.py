# %% wrong: softmax-over-features | The softmax is kept and only its axis is changed, from the positions to the features. A softmax makes the hidden units of a position compete; SiLU is elementwise and multiplies each number by its own sigmoid.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    gate = gate * torch.softmax(gate, dim=-1)
    passed = gate * (x @ w_up)
    return passed @ w_down

# %% wrong: glu-sigmoid-alone | The gate is the sigmoid alone, which is the GLU of older networks: the factor z of SiLU, z times sigmoid(z), is lost. With w_gate all zeros the gate is 0.5 and not 0, so half of x @ w_up passes where nothing should.
def swiglu(x, w_gate, w_up, w_down):
    both = torch.cat([x @ w_up, x @ w_gate], dim=-1)
    passed = F.glu(both, dim=-1)
    return passed @ w_down

# %% wrong: llama-branches-swapped | SiLU is applied to the wrong branch: to x @ w_up, while x @ w_gate stays linear (w1, w2 and w3 of Llama mixed up). The gate is the one that goes through SiLU.
def swiglu(x, w_gate, w_up, w_down):
    w1, w2, w3 = w_up, w_down, w_gate
    return torch.matmul(F.silu(torch.matmul(x, w1)) * torch.matmul(x, w3), w2)

# %% wrong: z-twice | The softmax is replaced by F.silu, but the factor in front of it is kept. F.silu(z) is z times sigmoid(z) already, so the gate is z squared times sigmoid(z); either F.silu alone or gate * sigmoid is right.
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.einsum("ntd,df->ntf", x, w_gate)
    gate = gate * F.silu(gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", gate * up, w_down)

# %% wrong: sum-kept | Only the activation is mended. Gate and x @ w_up are still added, so nothing is gated: with w_gate all zeros all of x @ w_up passes. They have to be multiplied, elementwise.
def swiglu(x, w_gate, w_up, w_down):
    z = x @ w_gate
    gate = z * z.sigmoid()
    passed = gate + (x @ w_up)
    return passed @ w_down

# %% right: one-product-for-both
def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.hstack([w_gate, w_up])).chunk(2, dim=-1)
    return F.linear(up * F.silu(gate), w_down.T)
