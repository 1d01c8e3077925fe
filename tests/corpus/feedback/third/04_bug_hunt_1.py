# %% wrong: only_the_sigmoid_repaired | TRUE CAUSE: only the softmax is replaced by the sigmoid; the gate is still added to the second layer instead of multiplied with it.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.sigmoid(gate)  # SiLU
    passed = gate + (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: only_the_product_repaired | TRUE CAUSE: only the sum is made a product; the softmax over the words still stands where the sigmoid belongs, so the positions depend on one another.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: softmax_over_the_features | TRUE CAUSE: the axis of the softmax was taken for the bug: it now runs over the hidden numbers of a position, but SiLU has a sigmoid of each number by itself.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)

# %% wrong: sigmoid_alone | TRUE CAUSE: the gate is the sigmoid alone: the factor z of SiLU, z * sigmoid(z), is missing, so a w_gate of zeros lets half of everything pass.
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.sigmoid(x @ w_gate)
    passed = gate * (x @ w_up)
    return passed @ w_down

# %% wrong: silu_on_the_wrong_layer | TRUE CAUSE: SiLU is applied to the second layer, x @ w_up, instead of to the gate.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    up = F.silu(x @ w_up)
    return (gate * up) @ w_down

# %% wrong: silu_of_the_product | TRUE CAUSE: gate and second layer are multiplied first and SiLU is applied to the product, instead of to the gate alone.
def swiglu(x, w_gate, w_up, w_down):
    hidden = (x @ w_gate) * (x @ w_up)  # (N, T, d_ff)
    return F.silu(hidden) @ w_down

# %% wrong: two_gelu_and_still_added | TRUE CAUSE: two mistakes: GELU is used where SiLU belongs, and the gate is still added to the second layer instead of multiplied with it.
def swiglu(x, w_gate, w_up, w_down):
    """A feed-forward network with a gate, SwiGLU.

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D). Each position is
    computed by itself.
    """
    gate = F.gelu(x @ w_gate)  # (N, T, d_ff)
    passed = gate + (x @ w_up)
    return passed @ w_down  # (N, T, D)
