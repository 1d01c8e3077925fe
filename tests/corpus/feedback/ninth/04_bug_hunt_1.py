# %% wrong: softmax_over_the_features | TRUE CAUSE: the softmax was only moved to the last axis instead of being replaced by a sigmoid, so each position is computed by itself, but the gate is z * softmax(z), not SiLU
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: only_the_sigmoid | TRUE CAUSE: SiLU was replaced by the sigmoid alone, without the factor gate, so the network is a plain GLU, and with w_gate all zeros half of x @ w_up still passes
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = torch.sigmoid(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: own_silu_on_the_wrong_branch | TRUE CAUSE: the SiLU is applied to x @ w_up instead of to x @ w_gate, so gate and passed numbers have changed places
def swiglu(x, w_gate, w_up, w_down):
    def project(t, w):
        return torch.einsum("nti,io->nto", t, w)

    a, b = project(x, w_gate), project(x, w_up)
    return project(a * F.silu(b), w_down)

# %% wrong: own_silu_of_the_product | TRUE CAUSE: SiLU is applied to the product of both projections instead of to the gate alone before the multiplication
def swiglu(x, w_gate, w_up, w_down):
    hidden = torch.matmul(x, w_gate).mul(torch.matmul(x, w_up))
    hidden = hidden / (1 + torch.exp(-hidden))
    return torch.matmul(hidden, w_down)
