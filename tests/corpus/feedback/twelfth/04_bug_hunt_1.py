# %% wrong: softmax_over_features | TRUE CAUSE: the softmax is only moved to the last axis and not replaced by a sigmoid, so each position is by itself now but the gate is not SiLU
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: sigmoid_alone | TRUE CAUSE: the gate is sigmoid(z) and not z * sigmoid(z), the factor z of SiLU was lost when the softmax was mended, so it is a GLU and a gate of zeros lets half pass
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = torch.sigmoid(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: own_silu_on_the_other_branch | TRUE CAUSE: SiLU is applied to x @ w_up and not to x @ w_gate, so the two branches have swapped roles (with w_gate all zeros it still gives 0)
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.einsum("ntd,df->ntf", x, w_gate)
    up = F.silu(torch.einsum("ntd,df->ntf", x, w_up))
    return torch.einsum("ntf,ntf,fd->ntd", gate, up, w_down)

# %% wrong: own_sigmoid_with_lost_minus | TRUE CAUSE: the hand-written sigmoid is 1 / (1 + exp(z)), without the minus, so it is sigmoid(-z) and the gate is closed where it should be open
def swiglu(x, w_gate, w_up, w_down):
    def one_position(word):
        z = word @ w_gate
        return (z / (1 + torch.exp(z)) * (word @ w_up)) @ w_down

    return torch.stack([torch.stack([one_position(w) for w in sentence]) for sentence in x])
