# %% wrong: eps_forgotten | TRUE CAUSE: the norm's eps is not passed to F.layer_norm, whose own default of 1e-5 is used instead
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)  # blank: layer_norm
        return output


# %% wrong: weights_copied | TRUE CAUSE: gamma and beta are new parameters, copies of the norm's, instead of the very same ones: nothing is shared
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)  # blank: layer_norm
        return output


# %% wrong: gamma_and_beta_unused | TRUE CAUSE: gamma and beta are not used in the kernel call: it normalizes only, right for a new norm (ones and zeros) but not for a trained one
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        d_model = x.size(-1)
        return F.layer_norm(x, (d_model,), eps=self.eps)
