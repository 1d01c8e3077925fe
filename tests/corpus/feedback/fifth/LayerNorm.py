# %% wrong: eps_as_a_lower_bound | TRUE CAUSE: eps is used as a lower bound of the variance instead of being added to it, so it has no effect where the variance is larger
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / variance.clamp(min=self.eps).sqrt()  # blank: deviation
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma_scales_beta_too | TRUE CAUSE: beta is added before the multiplication with gamma, so the shift is scaled as well: gamma * (normed + beta)
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).square().mean(-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * (normed + self.beta)
        return output

# %% wrong: standard_deviation_named_variance | TRUE CAUSE: x.std is taken for the variance and then goes under the root once more: the features are divided by the fourth root of the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.std(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / (variance + self.eps) ** 0.5  # blank: deviation
        output = normed * self.gamma + self.beta
        return output

# %% wrong: statistics_without_gradient | TRUE CAUSE: mean and variance are computed under no_grad, as if they were constants: the values are right, but the gradient of x lacks the part that goes through the mean and the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        with torch.no_grad():  # mean and variance are not learned
            mean = x.mean(dim=-1, keepdim=True)
            variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        return self.gamma * normed + self.beta
