# %% wrong: only_silu_repaired | TRUE CAUSE: SiLU is repaired, but the gate is still added to up instead of multiplied with it
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = F.silu(gate)
    up = x @ w_up  # (N, T, d_ff)
    return (opened + up) @ w_down


# %% wrong: sigmoid_of_up | TRUE CAUSE: the sigmoid is taken of up instead of the gate, so SiLU(gate) is not what multiplies up (the product is repaired)
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    up = x @ w_up
    opened = gate * up.sigmoid()
    return (opened * up) @ w_down


# %% wrong: gelu_instead_of_silu | TRUE CAUSE: GELU is used as the activation of the gate instead of SiLU (the product is repaired)
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = F.gelu(gate)
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down
