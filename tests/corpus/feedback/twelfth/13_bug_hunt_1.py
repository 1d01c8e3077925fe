# %% wrong: sum_left_in | TRUE CAUSE: SiLU is mended, but gate and up are still added instead of multiplied
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate * gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened + up) @ w_down
# %% wrong: sigmoid_in_place | TRUE CAUSE: sigmoid_ overwrites gate before it is multiplied, so opened is sigmoid(z) squared instead of z * sigmoid(z)
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate.sigmoid_() * gate  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down
# %% wrong: own_silu_on_the_other | TRUE CAUSE: SiLU is applied to x w_up instead of x w_gate, so the two matrices have changed places
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", gate * F.silu(up), w_down)
# %% wrong: own_silu_of_the_product | TRUE CAUSE: SiLU is applied to the product of gate and up instead of to the gate alone
def swiglu(x, w_gate, w_up, w_down):
    def silu(z):
        return z / (1 + torch.exp(-z))

    return silu((x @ w_gate) * (x @ w_up)) @ w_down
