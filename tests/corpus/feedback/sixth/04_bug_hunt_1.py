# %% wrong: softmax_over_the_features | TRUE CAUSE: the softmax only got another axis, dim=-1: positions no longer mix, but SiLU needs a sigmoid of each number by itself
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: gate_times_silu | TRUE CAUSE: F.silu was put in the place of the softmax, but it already holds the factor z: the gate becomes z * z * sigmoid(z)
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * F.silu(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: silu_on_the_up_branch | TRUE CAUSE: gate and up are mixed up: SiLU acts on x @ w_up instead of on x @ w_gate
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU."""
    gate = x @ w_gate  # (N, T, d_ff)
    up = F.silu(x @ w_up)  # (N, T, d_ff)
    return (gate * up) @ w_down  # (N, T, D)
