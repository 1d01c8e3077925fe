# %% wrong: softmax_over_the_last_axis | The softmax is moved to the last axis, since the words must not mix, instead of being replaced by the sigmoid: SiLU acts on each number alone, but here a hidden number depends on all others of its word.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate  # (N, T, d_ff)
    gate = gate * torch.softmax(gate, dim=-1)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)
# %% wrong: sigmoid_alone_is_no_silu | The gate becomes sigmoid(gate) alone: the factor gate of SiLU, z * sigmoid(z), is lost, so an all-zero w_gate lets half of everything pass instead of nothing.
def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate  # (N, T, d_ff)
    gate = torch.sigmoid(gate)  # SiLU
    passed = gate * (x @ w_up)
    return passed @ w_down  # (N, T, D)
# %% wrong: own_silu_on_the_wrong_branch | The two branches are mixed up: SiLU is applied to x @ w_up, and x @ w_gate is multiplied as it is. The gate, the first layer, should have the SiLU.
def swiglu(x, w_gate, w_up, w_down):
    gate = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", gate * F.silu(up), w_down)
# %% wrong: own_silu_after_the_product | SiLU is applied to the product of the two branches instead of the gate alone before the product.
def swiglu(x, w_gate, w_up, w_down):
    gate = x.matmul(w_gate)
    up = x.matmul(w_up)
    product = gate * up
    return (product * product.sigmoid()).matmul(w_down)
