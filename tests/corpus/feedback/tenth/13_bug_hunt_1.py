# %% wrong: sigmoid_left | TRUE CAUSE: only the sum was mended to a product; the gate still passes through the bare sigmoid, without the factor z of SiLU(z) = z * sigmoid(z).
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    opened = gate.sigmoid()  # SiLU
    up = x @ w_up  # (N, T, d_ff)
    return (opened * up) @ w_down

# %% wrong: factor_taken_from_up | TRUE CAUSE: the missing factor of SiLU was taken from up and not from gate (sigmoid of gate times up), and then multiplied by up again, so the function computes sigmoid(gate) * up * up where it should compute gate * sigmoid(gate) * up.
def swiglu(x, w_gate, w_up, w_down):
    """The feed-forward network of Llama: (SiLU(x w_gate) * x w_up) w_down (Shazeer 2020).

    x is (N, T, D), w_gate and w_up are (D, d_ff), w_down is (d_ff, D).
    """
    gate = x @ w_gate  # (N, T, d_ff)
    up = x @ w_up  # (N, T, d_ff)
    opened = up * gate.sigmoid()  # SiLU
    return (opened * up) @ w_down

# %% wrong: own_silu_around_the_product | TRUE CAUSE: SiLU is applied to the product of gate and up, F.silu(gate * up), instead of to the gate alone before multiplying by up.
def swiglu(x, w_gate, w_up, w_down):
    gate, up = (torch.einsum("ntd,df->ntf", x, w) for w in (w_gate, w_up))
    return torch.einsum("ntf,fd->ntd", F.silu(gate * up), w_down)

# %% wrong: own_sign_in_the_exponent | TRUE CAUSE: the sigmoid is written out by hand as 1 / (1 + e^z) instead of 1 / (1 + e^-z), so the gate becomes z * sigmoid(-z): it shuts where SiLU opens.
def swiglu(x, w_gate, w_up, w_down):
    def silu(z):
        return z / (1 + torch.exp(z))

    hidden = silu(torch.matmul(x, w_gate)) * torch.matmul(x, w_up)
    return torch.matmul(hidden, w_down)
