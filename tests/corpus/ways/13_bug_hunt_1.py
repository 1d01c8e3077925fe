# %% right: functional
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = F.silu(gate)
    up = x @ w_up  # (N, T, d_ff)
    return torch.matmul(up.mul(opened), w_down)

# %% right: sums_spelled_out
def swiglu(x, w_gate, w_up, w_down):
    z = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,ntf,fd->ntd", z * torch.sigmoid(z), up, w_down)


# %% right: own_einsum
def swiglu(x, w_gate, w_up, w_down):
    g = F.silu(torch.einsum("ntd,df->ntf", x, w_gate))
    u = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,fd->ntd", g * u, w_down)

# %% right: own_linear_helper
def silu(z):
    return z * torch.sigmoid(z)


def swiglu(x, w_gate, w_up, w_down):
    both = F.linear(x, torch.cat([w_gate, w_up], dim=1).T)
    gate, up = both.chunk(2, dim=-1)
    return F.linear(silu(gate) * up, w_down.T)


# %% right: tenth_own_f_silu_one_line
def swiglu(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down

# %% right: tenth_own_both_at_once
def swiglu(x, w_gate, w_up, w_down):
    z, up = (x @ torch.cat([w_gate, w_up], dim=1)).split([w_gate.size(1), w_up.size(1)], dim=-1)
    silu = z * z.sigmoid()
    return torch.einsum("...f,fd->...d", silu * up, w_down)


# %% right: eleventh_own_chunks
def swiglu(x, w_gate, w_up, w_down):
    both = x @ torch.cat([w_gate, w_up], dim=1)
    gate, up = both.chunk(2, dim=-1)
    return (F.silu(gate) * up) @ w_down
# %% right: eleventh_own_einsum
def swiglu(x, w_gate, w_up, w_down):
    g = torch.einsum("...d,df->...f", x, w_gate)
    u = torch.einsum("...d,df->...f", x, w_up)
    return torch.einsum("...f,fd->...d", g * torch.sigmoid(g) * u, w_down)


# %% right: twelfth_own_one_matrix
def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.cat([w_gate, w_up], dim=1)).chunk(2, dim=-1)
    return F.silu(gate).mul(up).matmul(w_down)
# %% right: twelfth_own_einsum
def swiglu(x, w_gate, w_up, w_down):
    z = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,ntf,ntf,fd->ntd", z, torch.sigmoid(z), up, w_down)
