# %% right: own_linear_helper
def silu(z):
    return z * torch.sigmoid(z)
def swiglu(x, w_gate, w_up, w_down):
    both = F.linear(x, torch.cat([w_gate, w_up], dim=1).T)
    gate, up = both.chunk(2, dim=-1)
    return F.linear(silu(gate) * up, w_down.T)
# %% right: twelfth_own_einsum
def swiglu(x, w_gate, w_up, w_down):
    z = torch.einsum("ntd,df->ntf", x, w_gate)
    up = torch.einsum("ntd,df->ntf", x, w_up)
    return torch.einsum("ntf,ntf,ntf,fd->ntd", z, torch.sigmoid(z), up, w_down)
# %% right: tenth_own_both_at_once
def swiglu(x, w_gate, w_up, w_down):
    z, up = (x @ torch.cat([w_gate, w_up], dim=1)).split([w_gate.size(1), w_up.size(1)], dim=-1)
    silu = z * z.sigmoid()
    return torch.einsum("...f,fd->...d", silu * up, w_down)
# %% right: fourteenth_own_silu_einsum
def swiglu(x, w_gate, w_up, w_down):
    d_ff = w_gate.size(1)
    both = x @ torch.cat([w_gate, w_up], dim=1)  # (N, T, 2 * d_ff)
    gate, up = both[..., :d_ff], both[..., d_ff:]
    return torch.einsum("ntf,fd->ntd", F.silu(gate) * up, w_down)
