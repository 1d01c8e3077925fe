# %% wrong: silu_of_a_sigmoid | TRUE CAUSE: SiLU is applied to the sigmoid that was there, F.silu(gate.sigmoid()), instead of to the gate; the product is fixed
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = F.silu(gate.sigmoid())  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down

# %% wrong: up_opened_by_itself | TRUE CAUSE: the z before the sigmoid is taken to be up, which is then multiplied a second time: up * sigmoid(gate) * up
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    opened = up * gate.sigmoid()  # SiLU
    return (opened * up) @ w_down

# %% wrong: gate_and_up_swapped | TRUE CAUSE: SiLU is applied to the up branch, and the gate is left linear
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    up = x @ w_up
    return (gate * F.silu(up)) @ w_down

# %% wrong: silu_before_the_matrix | TRUE CAUSE: SiLU is applied to x before w_gate instead of to the product x w_gate
def swiglu(x, w_gate, w_up, w_down):
    opened = (x * x.sigmoid()) @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down

