# %% wrong: only_the_product | TRUE CAUSE: Only the sum is fixed; the gate is still a sigmoid, not SiLU.
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down


# %% wrong: only_silu | TRUE CAUSE: Only SiLU is fixed; gate and up are still added instead of multiplied.
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate * gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened + up) @ w_down


# %% wrong: silu_of_the_sigmoid | TRUE CAUSE: F.silu is put around the sigmoid that was there: SiLU(sigmoid(z)) instead of z * sigmoid(z). The product is right.
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = F.silu(gate.sigmoid())  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down


# %% wrong: sigmoid_of_up | TRUE CAUSE: The sigmoid is taken of the wrong matrix's result: gate * sigmoid(up), and that times up.
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    opened = gate * up.sigmoid()  # SiLU
    return (opened * up) @ w_down


# %% wrong: gelu_gate | TRUE CAUSE: Uses GELU (from the table) as the gate's activation instead of SiLU; the product is right.
def swiglu(x, w_gate, w_up, w_down):
    return (F.gelu(x @ w_gate) * (x @ w_up)) @ w_down


# %% wrong: softmax_gate | TRUE CAUSE: Writes SiLU as z times the softmax over the features (left over from lesson 04's bug hunt) instead of z times the sigmoid.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    opened = gate * gate.softmax(dim=-1)
    up = x @ w_up
    return (opened * up) @ w_down
