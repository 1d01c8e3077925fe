# %% wrong: only_sigmoid_fixed | TRUE CAUSE: SiLU is right now, but the gate is still added to what it should be multiplied with
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.sigmoid(gate)  # SiLU
    passed = gate + (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: only_product_fixed | TRUE CAUSE: the gate multiplies now, but SiLU still has a softmax over the words instead of a sigmoid
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: softmax_over_features | TRUE CAUSE: the softmax was moved to the features, so the words are independent, but it is a softmax still and not the sigmoid of SiLU
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: sigmoid_alone | TRUE CAUSE: the gate is the sigmoid alone, not z times the sigmoid, so a gate of zeros lets half through instead of nothing
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = torch.sigmoid(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: silu_times_gate_again | TRUE CAUSE: F.silu is put in place of the softmax but the product with the gate is left, so the gate enters twice: z times z times sigmoid(z)
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * F.silu(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)


# %% wrong: silu_on_the_wrong_branch | TRUE CAUSE: SiLU is applied to the up branch and the gate stays linear: the two branches are mixed up
def swiglu(x, w_gate, w_up, w_down):
    gate, up = x @ w_gate, x @ w_up
    return (gate * F.silu(up)) @ w_down


# %% wrong: relu_gate_and_sum_kept | TRUE CAUSE: two mistakes: the gate goes through the ReLU of Eq. 2 instead of SiLU, and the gate is still added and not multiplied
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.relu(x @ w_gate)
    passed = gate + x @ w_up
    return passed @ w_down
