# %% wrong: variance_as_difference_of_means | TRUE CAUSE: variance is computed as the mean of x squared minus the squared mean, which the text warns of: for features around 1,000 float32 loses most digits of the difference, so the result is far off or NaN
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x**2).mean(dim=-1, keepdim=True) - mean**2
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: beta_inside_the_scale | TRUE CAUSE: output is gamma * (normed + beta) instead of gamma * normed + beta, so the shift is scaled by gamma too, which shows as soon as gamma is not 1 and beta is not 0
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
        normed = (x - mean) / (variance + self.eps).sqrt()
        output = self.gamma * (normed + self.beta)
        return output

# %% wrong: own_statistics_without_gradient | TRUE CAUSE: mean and variance are computed under torch.no_grad, as if they were constants, so the values are right but the gradient with respect to x leaves out the paths through mean and variance
def feature_statistics(x):
    d = x.size(-1)
    with torch.no_grad():
        mu = x.sum(-1, keepdim=True) / d
        sigma2 = ((x - mu) ** 2).sum(-1, keepdim=True) / d
    return mu, sigma2


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mu, sigma2 = feature_statistics(x)
        return (x - mu) * torch.rsqrt(sigma2 + self.eps) * self.gamma + self.beta

# %% wrong: own_loop_over_the_first_axis | TRUE CAUSE: forward loops over the first axis and normalizes the last axis of each part, so for x of shape (D,) it normalizes each feature by itself (every one becomes 0) and returns a (D, D) result; with more axes it is right
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((d_model,), 1.0))
        self.beta = nn.Parameter(torch.full((d_model,), 0.0))
        self.eps = eps

    def norm_one(self, part):
        centered = part - part.mean(dim=-1, keepdim=True)
        var = centered.pow(2).mean(dim=-1, keepdim=True)
        return centered / torch.sqrt(var + self.eps) * self.gamma + self.beta

    def forward(self, x):
        return torch.stack([self.norm_one(part) for part in x])
