def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate * gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down
