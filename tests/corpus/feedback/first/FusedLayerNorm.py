# %% wrong: eps_forgotten | TRUE CAUSE: eps is not passed on, so F.layer_norm uses its own 1e-5 instead of the norm's
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)
        return output

# %% wrong: exchanged | TRUE CAUSE: gamma and beta are passed in the wrong order, so beta scales and gamma shifts
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, (x.size(-1),), self.beta, self.gamma, self.eps)
        return output

# %% wrong: own_parameters | TRUE CAUSE: gamma and beta are copied into new parameters instead of being shared with the norm
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps

    def forward(self, x):
        return F.layer_norm(x, [x.shape[-1]], weight=self.gamma, bias=self.beta, eps=self.eps)

# %% wrong: data_only | TRUE CAUSE: the kernel gets gamma.data and beta.data, which are cut off from the graph, so neither gets a gradient
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.size(), self.gamma.data, self.beta.data, self.eps)
        return output

# %% wrong: whole_sentence | TRUE CAUSE: mean and variance are taken over all axes but the first, so the positions of a sentence share them
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = torch.addcmul(self.beta, self.gamma, F.layer_norm(x, x.shape[1:], eps=self.eps))
        return output

# %% wrong: scaled_twice | TRUE CAUSE: the kernel gets gamma and beta and they are applied once more afterwards
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps

    def forward(self, x):
        d_model = x.size(-1)
        normed = F.layer_norm(x, (d_model,), self.gamma, self.beta, self.eps)
        return self.gamma * normed + self.beta

# %% wrong: no_super | TRUE CAUSE: super().__init__() is missing, so a parameter cannot be assigned and it raises an AttributeError
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)
        return output

# %% wrong: beta_lost_and_fixed_eps | TRUE CAUSE: two mistakes: beta is not passed, so nothing is shifted; and eps is hard-coded as 1e-6 instead of the norm's
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta = norm.gamma, norm.beta
        self.shape = tuple(norm.gamma.shape)

    def forward(self, x):
        return F.layer_norm(x, self.shape, self.gamma, None, 1e-6)
