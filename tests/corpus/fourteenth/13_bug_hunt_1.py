# %% wrong: sigmoid_is_left | Only the product is repaired. The sigmoid alone is taken for SiLU; the factor z of SiLU(z) = z * sigmoid(z) is missing, so this is a GLU.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down
# %% wrong: silu_of_up | The factor in front of the sigmoid is `up` instead of `gate`, and the result is multiplied with the gate: SiLU is applied to x w_up, so the two matrices have changed their roles.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    opened = up * up.sigmoid()  # SiLU
    return (opened * gate) @ w_down
# %% wrong: own_sigmoid_in_place | sigmoid_() changes `gate` itself, so the product with `gate` afterwards is sigmoid times sigmoid, not z times sigmoid(z).
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.matmul(x, w_gate)
    share = gate.sigmoid_()
    silu = gate * share
    hidden = silu * torch.matmul(x, w_up)
    return torch.matmul(hidden, w_down)
# %% wrong: own_gelu | F.gelu is taken for SiLU. GELU is z times the normal distribution's cumulative probability, which looks alike, but is not z * sigmoid(z).
def swiglu(x, w_gate, w_up, w_down):
    opened = F.gelu(torch.einsum("ntd,df->ntf", x, w_gate))
    passed = opened * torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", passed, w_down)
