# %% wrong: gate_multiplied_twice | TRUE CAUSE: SiLU is overdone: F.silu(gate) is z * sigmoid(z) already, and is multiplied by the gate once more (the sum is repaired to a product)
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate * F.silu(gate)  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down


# %% wrong: x_for_z | TRUE CAUSE: the sigmoid is multiplied by x, the input, not by the gate x w_gate: the z of SiLU's formula is taken for x (it fits only where D and d_ff are equal or one of them is 1)
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = x * gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down


# %% wrong: silu_of_the_product | TRUE CAUSE: SiLU is applied to the product of gate and up, not to the gate alone
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020)."""
    gate = x @ w_gate
    up = x @ w_up
    gated = gate * up
    opened = gated * gated.sigmoid()
    return opened @ w_down
