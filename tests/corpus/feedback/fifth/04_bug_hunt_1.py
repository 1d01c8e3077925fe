# %% wrong: silu_on_the_wrong_branch | TRUE CAUSE: the SiLU is applied to x @ w_up and not to x @ w_gate: gate and up are mixed up, though all zeros in w_gate still give 0
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU."""
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up
    passed = gate * (up * torch.sigmoid(up))  # SiLU
    return passed @ w_down  # (N, T, D)

# %% wrong: silu_times_gate_again | TRUE CAUSE: softmax was replaced by silu, which contains the factor gate already, and the "gate *" in front stayed: gate * gate * sigmoid(gate)
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * F.silu(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: silu_after_the_product | TRUE CAUSE: the SiLU is applied to the product of the two branches instead of to the gate before it is multiplied
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU."""
    gate, up = x @ w_gate, x @ w_up  # (N, T, d_ff)
    return F.silu(gate * up) @ w_down  # (N, T, D)

# %% wrong: sigmoid_alone | TRUE CAUSE: the gate is the sigmoid alone, without the factor z of SiLU, z * sigmoid(z): with all zeros in w_gate half of x @ w_up still passes
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU."""
    gate = x @ w_gate  # (N, T, d_ff)
    gate = torch.sigmoid(gate)  # between 0 and 1: how much passes
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)
