# %% wrong: sigmoid_left | TRUE CAUSE: gate and up are multiplied now, but the gate is still only its sigmoid, not SiLU
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down


# %% wrong: silu_of_the_product | TRUE CAUSE: multiplies first and takes SiLU of the product, instead of SiLU of the gate alone
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020)."""
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    return F.silu(gate * up) @ w_down


# %% wrong: silu_on_the_wrong_branch | TRUE CAUSE: SiLU is taken of x w_up instead of x w_gate
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    opened = up * up.sigmoid()  # SiLU
    return (opened * gate) @ w_down
