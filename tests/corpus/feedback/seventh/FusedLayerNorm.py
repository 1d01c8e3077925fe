# %% wrong: eps_not_passed | TRUE CAUSE: the norm's eps is not passed to F.layer_norm, which then uses its own default of 1e-5
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta)
        return output


# %% wrong: gamma_and_beta_swapped | TRUE CAUSE: beta is passed as the weight and gamma as the bias: the order of the arguments of F.layer_norm is mixed up
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        return F.layer_norm(x, [x.size(-1)], self.beta, self.gamma, self.eps)


# %% wrong: copies_of_the_parameters | TRUE CAUSE: gamma and beta are cloned into new parameters, not shared with the norm: training one no longer changes the other
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, eps=self.eps)
        return output
