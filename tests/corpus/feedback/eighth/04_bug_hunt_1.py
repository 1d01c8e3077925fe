# %% wrong: softmax_over_the_features | TRUE CAUSE: the softmax was moved to the last axis instead of being replaced by a sigmoid; positions no longer mix, but the hidden numbers of a position still compete for a sum of 1, which is not SiLU.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: silu_twice | TRUE CAUSE: SiLU is applied twice to the gate: once by the repaired line z * sigmoid(z), and again by F.silu in the product.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.sigmoid(gate)  # SiLU
    passed = F.silu(gate) * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: silu_on_the_wrong_branch | TRUE CAUSE: SiLU is put on the second layer (x @ w_up) instead of on the gate, which stays linear; with an all-zero w_gate the result is still 0, so the suggested test does not show it.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    passed = gate * F.silu(up)
    return passed @ w_down  # (N, T, D)
