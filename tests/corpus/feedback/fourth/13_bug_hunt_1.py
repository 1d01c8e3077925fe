# %% wrong: only_silu | TRUE CAUSE: only SiLU is repaired; the gate is still added to up
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate * gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened + up) @ w_down

# %% wrong: only_product | TRUE CAUSE: only the sum is repaired; the gate is a sigmoid, without the factor z of SiLU
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down

# %% wrong: silu_of_the_wrong_one | TRUE CAUSE: gate and up have changed roles: SiLU is taken of x w_up
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    up = x @ w_up
    return (gate * F.silu(up)) @ w_down

# %% wrong: silu_of_the_product | TRUE CAUSE: SiLU is taken of the product of both, not of the gate alone
def swiglu(x, w_gate, w_up, w_down):
    both = (x @ w_gate) * (x @ w_up)  # (N, T, d_ff)
    return (both * both.sigmoid()) @ w_down

# %% wrong: gelu_for_silu | TRUE CAUSE: the product is right, but the gate goes through GELU, not SiLU
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = F.gelu(gate)
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down

# %% wrong: relu_and_sum | TRUE CAUSE: two mistakes: the gate goes through a ReLU times the sigmoid (nothing below 0 passes), and it is still added to up
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate.relu() * gate.sigmoid()
    up = x @ w_up  # (N, T, d_ff)
    return (opened + up) @ w_down
