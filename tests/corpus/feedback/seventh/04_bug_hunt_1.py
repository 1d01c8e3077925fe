# %% wrong: gate_times_silu | TRUE CAUSE: the softmax was replaced by F.silu, which already contains the factor z, and the factor gate was left in front, so the gate is z squared times sigmoid(z); the sum is repaired to a product
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * F.silu(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: softmax_over_the_features | TRUE CAUSE: the softmax was only moved to the last axis, which keeps words apart, but SiLU needs the sigmoid: with the softmax the hidden numbers of a position still share one sum; the product is repaired
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: silu_on_the_wrong_layer | TRUE CAUSE: the SiLU is applied to x @ w_up and not to x @ w_gate: the two first layers are swapped
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU."""
    gate = x @ w_gate
    up = x @ w_up
    return (gate * F.silu(up)) @ w_down
