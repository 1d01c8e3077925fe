# %% wrong: eps_only_where_zero | TRUE CAUSE: eps is taken for a stand-in that is used only where the variance is exactly 0 (torch.where in the variance line), so it is not added to the variance of all other positions under the root and results with a large eps or a small variance are too large
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
        variance = torch.where(variance == 0, torch.full_like(variance, self.eps), variance)
        normed = (x - mean) / torch.sqrt(variance)
        output = self.gamma * normed + self.beta
        return output
# %% wrong: beta_inside_gamma | TRUE CAUSE: the parentheses of the output line put beta inside the product with gamma, so the shift is gamma * beta instead of beta, which shows as soon as gamma is not 1 and beta not 0
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * (normed + self.beta)
        return output
# %% wrong: own_stats_without_gradient | TRUE CAUSE: mean and deviation are computed in a method under torch.no_grad, as if they were constants, so the values are right but the gradient that reaches x lacks the parts that go through the mean and the variance
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    @torch.no_grad()
    def stats(self, x):
        var, mu = torch.var_mean(x, dim=-1, keepdim=True, unbiased=False)
        return mu, (var + self.eps).sqrt()

    def forward(self, x):
        mu, sigma = self.stats(x)
        return (x - mu) / sigma * self.gamma + self.beta
# %% wrong: own_divides_by_len_x | TRUE CAUSE: the sum of squares is divided by len(x), which is the length of the first axis (the batch) and not the number of features D, so the variance is wrong by the factor D / N for every x with axes in front of the features
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.gamma = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        centered = x - x.mean(-1)[..., None]
        squares = (centered * centered).sum(-1)
        sigma2 = squares / len(x)
        return torch.addcmul(self.beta, self.gamma, centered * (sigma2 + self.eps).rsqrt()[..., None])
