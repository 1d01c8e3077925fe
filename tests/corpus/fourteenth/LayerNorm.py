# %% wrong: gamma_is_no_parameter | gamma is a plain tensor, not an nn.Parameter: it is no parameter of the module, so the optimizer does not find it, it is not saved, and it does not follow the module's dtype or device.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = torch.ones(d_model)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output
# %% wrong: eps_outside_the_root | eps is added to the deviation after the root instead of to the variance under the root, so the result differs wherever eps is not negligible.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / (variance.sqrt() + self.eps)
        output = self.gamma * normed + self.beta
        return output
# %% wrong: own_mean_of_squares_minus_squared_mean | The variance is computed as the mean of x squared minus the squared mean: right on paper, but for features around 1,000 this difference loses most of its digits. The mean must be subtracted before squaring.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def moments(self, x):
        first = x.mean(dim=-1, keepdim=True)
        second = x.square().mean(dim=-1, keepdim=True)
        return first, second - first.square()
    def forward(self, x):
        mu, sigma_squared = self.moments(x)
        return self.gamma * (x - mu) * torch.rsqrt(sigma_squared + self.eps) + self.beta
# %% wrong: own_unbiased_std | torch.std_mean divides by D - 1 by default; LayerNorm's variance is the mean of the squares, divided by D. The results are too small, and with one feature they are nan.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        spread, center = torch.std_mean(x, dim=-1, keepdim=True)
        deviation = (spread**2 + self.eps) ** 0.5
        return torch.addcmul(self.beta, self.gamma, (x - center) / deviation)
