# %% wrong: sum_left | TRUE CAUSE: only the softmax was mended to a sigmoid; the gate is still added to x w_up instead of multiplied with it
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate: (SiLU(x w_gate) * (x w_up)) w_down.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.sigmoid(gate)  # SiLU
    passed = gate + (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: softmax_over_features | TRUE CAUSE: the product is mended, but SiLU is still made with a softmax, now over the features, instead of a sigmoid
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate: (SiLU(x w_gate) * (x w_up)) w_down.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = torch.mul(gate, x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: silu_on_up | TRUE CAUSE: sigmoid and product are mended, but SiLU is applied to x w_up instead of x w_gate
def swiglu(x, w_gate, w_up, w_down):
    gate, up = torch.matmul(x, w_gate), torch.matmul(x, w_up)
    return torch.matmul(gate * F.silu(up), w_down)


# %% wrong: sigmoid_with_dim | TRUE CAUSE: softmax was replaced by sigmoid with the dim argument left in, which torch.sigmoid does not have (TypeError, crash)
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate: (SiLU(x w_gate) * (x w_up)) w_down.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.sigmoid(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)
