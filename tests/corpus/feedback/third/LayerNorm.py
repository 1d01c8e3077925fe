# %% wrong: var_left_at_its_default | TRUE CAUSE: var is called without unbiased=False, so the squares are divided by D - 1 instead of D.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma_is_no_parameter | TRUE CAUSE: gamma is a plain tensor and no nn.Parameter, so it is neither found by the optimizer nor saved.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = torch.ones(d_model)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = normed * self.gamma + self.beta
        return output

# %% wrong: keepdim_forgotten | TRUE CAUSE: keepdim=True is missing in mean and variance, so they do not line up with x: (N, T) against (N, T, D).
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1)
        variance = x.var(-1, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output

# %% wrong: divided_by_the_variance | TRUE CAUSE: the root is forgotten: x - mean is divided by the variance plus eps instead of by its root.
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
        normed = (x - mean) / (variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output

# %% wrong: mean_over_the_words | TRUE CAUSE: mean and variance run over axis 1, the words of a sentence, instead of over the features, the last axis.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=1, keepdim=True)
        variance = x.var(dim=1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output

# %% wrong: mean_of_squares_minus_squared_mean | TRUE CAUSE: the variance is the mean of the squares minus the squared mean, which loses its digits (and can be negative) where the features are large.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(dim=-1, keepdim=True)
        sigma2 = (x**2).mean(dim=-1, keepdim=True) - mu**2
        return self.gamma * (x - mu) / torch.sqrt(sigma2 + self.eps) + self.beta

# %% wrong: mean_over_words_and_features | TRUE CAUSE: mean and variance are taken over the words and the features of a sentence together, so the positions of a sentence share them.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=(-2, -1), keepdim=True)
        centered = x - mean
        variance = centered.square().mean(dim=(-2, -1), keepdim=True)
        return self.gamma * centered / (variance + self.eps).sqrt() + self.beta

# %% wrong: gamma_scales_beta_too | TRUE CAUSE: beta is added before gamma is multiplied, gamma * (normed + beta), so the shift is scaled as well.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        centered = x - x.mean(-1, keepdim=True)
        variance = centered.pow(2).mean(-1, keepdim=True)
        normed = centered / torch.sqrt(variance + self.eps)
        return self.gamma * (normed + self.beta)

# %% wrong: eps_written_out | TRUE CAUSE: the eps of __init__ is stored but not used: 1e-6 is written out in forward, so another eps has no effect.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(dim=-1, keepdim=True)
        var = ((x - mu) ** 2).mean(dim=-1, keepdim=True)
        x = (x - mu) * torch.rsqrt(var + 1e-6)
        return x * self.gamma + self.beta

# %% wrong: two_unbiased_std_and_eps_outside | TRUE CAUSE: two mistakes: std without unbiased=False divides by D - 1, and eps is added to the root instead of under it.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta
