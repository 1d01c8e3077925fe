def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.sigmoid(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)
