# %% wrong: default_eps | TRUE CAUSE: eps is not handed over, so F.layer_norm takes its own default of 1e-5 instead of that of the norm
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)  # blank: layer_norm
        return output


# %% wrong: beta_forgotten | TRUE CAUSE: multiplies by gamma outside of the kernel and forgets to add beta
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = self.gamma * F.layer_norm(x, x.shape[-1:], eps=self.eps)
        return output


# %% wrong: own_copies_of_parameters | TRUE CAUSE: makes new parameters with copies of gamma and beta instead of sharing those of the norm
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel."""

    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps

    def forward(self, x):
        return F.layer_norm(x, (x.size(-1),), self.gamma, self.beta, self.eps)
