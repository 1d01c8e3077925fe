# %% wrong: sum_left_in | TRUE CAUSE: the SiLU is mended, but the gate is still added to up instead of multiplied with it in the last line
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate * gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened + up) @ w_down

# %% wrong: sigmoid_times_up | TRUE CAUSE: the z of z * sigmoid(z) is taken to be up instead of gate, so the result holds sigmoid(gate) * up * up in place of gate * sigmoid(gate) * up
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    opened = up * gate.sigmoid()  # SiLU
    return (opened * up) @ w_down

# %% wrong: own_silu_on_up | TRUE CAUSE: the roles of the two matrices are exchanged, F.silu is applied to x w_up and the plain factor is x w_gate, so the wrong branch is the gate
def swiglu(x, w_gate, w_up, w_down):
    g = torch.einsum("ntd,df->ntf", x, w_gate)
    u = F.silu(torch.einsum("ntd,df->ntf", x, w_up))
    return torch.einsum("ntf,fd->ntd", g * u, w_down)

# %% wrong: own_sigmoid_sign | TRUE CAUSE: the helper writes the sigmoid as 1 / (1 + exp(z)) without the minus in the exponent, so it computes z * sigmoid(-z)
def silu(z):
    return z / (1 + torch.exp(z))


def swiglu(x, w_gate, w_up, w_down):
    return torch.matmul(silu(torch.matmul(x, w_gate)).mul(torch.matmul(x, w_up)), w_down)
