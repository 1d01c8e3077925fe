# %% wrong: gamma_scales_beta_too | TRUE CAUSE: the output is gamma * (normed + beta): the shift is added before the scaling, so that beta is multiplied by gamma; wrong as soon as gamma is not 1 and beta not 0
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
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * (normed + self.beta)
        return output
# %% wrong: statistics_detached | TRUE CAUSE: mean and variance are computed from x.detach(), as if they were constants; the output is right, but the gradient that reaches x lacks the parts that go through the mean and the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        stats = x.detach()
        mean = stats.mean(dim=-1, keepdim=True)
        variance = ((stats - mean) ** 2).mean(dim=-1, keepdim=True)
        normed = (x - mean) / (variance + self.eps).sqrt()
        output = self.gamma * normed + self.beta
        return output
# %% wrong: own_all_axes_but_the_batch | TRUE CAUSE: the mean and the variance are taken over all axes after the first, so that in (N, T, D) all positions of a sentence share them instead of each position having its own
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        axes = tuple(range(1, x.dim())) if x.dim() > 1 else (0,)
        var, mu = torch.var_mean(x, dim=axes, correction=0, keepdim=True)
        return (x - mu) * torch.rsqrt(var + self.eps) * self.gamma + self.beta
# %% wrong: own_eps_as_a_floor | TRUE CAUSE: F.normalize divides by max(length, eps), so eps is only a lower bound of the length of the centered vector instead of being added to the variance under the root; wrong when eps is not tiny beside the variance
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.size = d_model
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centered = x - x.sum(dim=-1, keepdim=True) / self.size
        unit = F.normalize(centered, p=2, dim=-1, eps=self.eps)
        return self.beta + self.gamma * (math.sqrt(self.size) * unit)
