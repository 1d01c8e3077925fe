# %% wrong: sigmoid_in_place | TRUE CAUSE: gate.sigmoid_() overwrites gate before the product is taken, so opened is sigmoid(gate) squared instead of gate * sigmoid(gate)
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate * gate.sigmoid_()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down
# %% wrong: exponent_without_the_minus | TRUE CAUSE: SiLU is written as gate / (1 + exp(gate)) with the sign of the exponent missing, which is gate * sigmoid(-gate)
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate / (1 + gate.exp())  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down
# %% wrong: own_silu_of_the_product | TRUE CAUSE: SiLU is applied to the product of gate and up instead of to the gate alone
def swiglu(x, w_gate, w_up, w_down):
    g = torch.einsum("ntd,df->ntf", x, w_gate)
    u = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", F.silu(g * u), w_down)
# %% wrong: own_chunks_swapped | TRUE CAUSE: the matrices are concatenated as gate, up but the chunks are unpacked as up, gate, so SiLU is applied to x w_up and x w_gate passes unchanged
def swiglu(x, w_gate, w_up, w_down):
    both = x @ torch.cat([w_gate, w_up], dim=1)
    up, gate = both.chunk(2, dim=-1)
    return (F.silu(gate) * up) @ w_down
