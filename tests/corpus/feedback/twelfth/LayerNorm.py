# %% wrong: one_gamma_for_all | TRUE CAUSE: gamma is a single number of shape (1,) in __init__, where there should be one number for each feature, shape (d_model,), so all features share one learned scale
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: eps_as_lower_bound | TRUE CAUSE: in the deviation the eps is taken as a lower bound of the variance (clamp(min=eps)) and not added to it, so the result is too large wherever eps is not negligible beside the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        normed = (x - mean) / variance.clamp(min=self.eps).sqrt()
        output = normed * self.gamma + self.beta
        return output

# %% wrong: own_statistics_without_grad | TRUE CAUSE: mean and variance are computed under torch.no_grad() in the helper statistics, so the output is right but the gradient with respect to x treats both as constants and is wrong
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    @torch.no_grad()
    def statistics(self, x):
        mu = x.sum(dim=-1) / x.shape[-1]
        sigma2 = (x - mu[..., None]).square().sum(dim=-1) / x.shape[-1]
        return mu[..., None], sigma2[..., None]

    def forward(self, x):
        mu, sigma2 = self.statistics(x)
        return self.gamma * ((x - mu) * torch.rsqrt(sigma2 + self.eps)) + self.beta

# %% wrong: own_rows_changed_in_place | TRUE CAUSE: reshape gives a view of a contiguous x, and rows -= and rows /= work in place on it, so the caller's own x is overwritten by the normalized numbers (and an x that needs a gradient raises)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d_model = d_model
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = x.reshape(-1, self.d_model)
        rows -= rows.mean(dim=1, keepdim=True)
        rows /= (rows.pow(2).mean(dim=1, keepdim=True) + self.eps).sqrt()
        return (rows * self.gamma + self.beta).reshape(x.shape)
