# %% wrong: softmax_over_features | TRUE CAUSE: the softmax is only moved from the positions to the hidden numbers (dim=-1) instead of being replaced by a sigmoid, so the gate is not SiLU and the hidden numbers of a position compete
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)
# %% wrong: silu_of_the_product | TRUE CAUSE: the product of the two first layers is formed before SiLU, so SiLU is applied to gate * up instead of to the gate alone
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    passed = gate * (x @ w_up)
    passed = passed * torch.sigmoid(passed)  # SiLU
    return passed @ w_down  # (N, T, D)
# %% wrong: own_silu_on_up | TRUE CAUSE: the roles of the two first layers are exchanged: SiLU is applied to x @ w_up and the raw x @ w_gate is multiplied with it
def swiglu(x, w_gate, w_up, w_down):
    g, u = (torch.einsum("ntd,df->ntf", x, w) for w in (w_gate, w_up))
    return torch.einsum("ntf,ntf,fd->ntd", g, F.silu(u), w_down)
# %% wrong: own_interleaved_halves | TRUE CAUSE: the two weight matrices are put side by side, but their product is split as (d_ff, 2), as if gate and up took turns, instead of (2, d_ff), so each gate is paired with a neighbour of the same matrix
def swiglu(x, w_gate, w_up, w_down):
    d_ff = w_gate.shape[1]
    both = x @ torch.cat([w_gate, w_up], dim=1)
    gate, up = both.unflatten(-1, (d_ff, 2)).unbind(-1)
    return (F.silu(gate) * up) @ w_down
