# %% wrong: eps_left_at_default | TRUE CAUSE: eps is not passed: PyTorch's default 1e-5 is used instead of the norm's own.
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta)  # blank: layer_norm
        return output


# %% wrong: gamma_beta_swapped | TRUE CAUSE: The weight and the bias are swapped: scales with beta and shifts by gamma.
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.beta, self.gamma, self.eps)  # blank: layer_norm
        return output


# %% wrong: over_positions_too | TRUE CAUSE: Normalizes over all axes but the batch: mean and variance are taken over positions and features together, not for each position by itself.
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[1:], eps=self.eps) * self.gamma + self.beta  # blank: layer_norm
        return output


# %% wrong: no_gamma_no_beta | TRUE CAUSE: The kernel is called without weight and bias, so the result is only normalized and never scaled and shifted.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps

    def forward(self, x):
        d_model = x.size(-1)
        return F.layer_norm(x, (d_model,), eps=self.eps)


# %% wrong: detached_gamma_beta | TRUE CAUSE: gamma and beta are taken over detached, as plain tensors: they are no parameters of the fused norm and get no gradient.
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta = norm.gamma.detach(), norm.beta.detach()
        self.eps = norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)
        return output


# %% wrong: two_slips | TRUE CAUSE: two mistakes: the statistics are those of rms_norm (the mean is not subtracted, and it is another kernel), and beta is left out.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        return F.rms_norm(x, self.gamma.shape, self.gamma, self.eps)
