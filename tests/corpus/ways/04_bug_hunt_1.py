# %% right: silu_in_one_line
def swiglu(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


# %% right: sigmoid_by_tanh
def swiglu(x, w_gate, w_up, w_down):
    z = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    share = 0.5 * (1 + torch.tanh(z / 2))  # the sigmoid
    return torch.einsum("ntf,fd->ntd", up * share * z, w_down)
