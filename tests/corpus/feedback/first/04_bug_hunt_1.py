# %% wrong: softmax_over_the_features | TRUE CAUSE: the product is mended, but the softmax was only moved to the last axis instead of being replaced by the sigmoid, so it is no SiLU
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate: (SiLU(x w_gate) * (x w_up)) w_down.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: still_added | TRUE CAUSE: only the SiLU is mended; the gate is still added to x w_up instead of multiplied with it
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate: (SiLU(x w_gate) * (x w_up)) w_down.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.sigmoid(gate)  # SiLU
    passed = gate + (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: silu_on_the_other_half | TRUE CAUSE: both bugs are mended, but the SiLU is applied to x w_up instead of x w_gate, so the gate and what it lets pass are exchanged
def swiglu(x, w_gate, w_up, w_down):
    gate, up = torch.matmul(x, w_gate), torch.matmul(x, w_up)
    return torch.matmul(gate * F.silu(up), w_down)
