# %% wrong: sigmoid_alone | TRUE CAUSE: SiLU is z * sigmoid(z), but the gate is only sigmoid(z), so a gate of all zeros lets half of x @ w_up pass and does not close.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = torch.sigmoid(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: softmax_over_features | TRUE CAUSE: the softmax is only moved from the words to the features (dim=-1) in place of being replaced by a sigmoid, so each position is by itself and a gate of zeros gives 0, but the gate is not SiLU.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: own_one_line | TRUE CAUSE: SiLU is applied to x @ w_up and not to x @ w_gate, so the two first layers have changed roles; a gate of zeros still gives 0.
def swiglu(x, w_gate, w_up, w_down):
    return torch.matmul(torch.matmul(x, w_gate) * F.silu(torch.matmul(x, w_up)), w_down)

# %% wrong: own_silu_by_hand | TRUE CAUSE: silu divides by 1 + exp(z) rather than by 1 + exp(-z), so it is z * sigmoid(-z): a gate that should open closes, and the other way round.
def swiglu(x, w_gate, w_up, w_down):
    def silu(z):
        return z / (1 + torch.exp(z))

    sentences = []
    for sentence in x:  # (T, D)
        a = torch.einsum("td,df->tf", sentence, w_gate)
        b = torch.einsum("td,df->tf", sentence, w_up)
        sentences.append(torch.einsum("tf,fd->td", silu(a) * b, w_down))
    return torch.stack(sentences)
