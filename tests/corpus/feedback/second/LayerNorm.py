# %% wrong: unbiased_variance | TRUE CAUSE: var is called with its default, which divides by D - 1 instead of D
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
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output


# %% wrong: eps_outside | TRUE CAUSE: eps is added to the deviation after the root instead of to the variance under the root
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((d_model,), 1.0))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.sum(-1, keepdim=True) / x.size(-1)
        variance = F.relu((x - mean).pow(2).mean(-1, keepdim=True))
        normed = (x - mean) / (variance.sqrt() + self.eps)
        output = torch.addcmul(self.beta, self.gamma, normed)
        return output


# %% wrong: random_gamma_own_eps | TRUE CAUSE: two mistakes: gamma starts as random numbers instead of ones, and the eps argument is ignored: 1e-5 is hard-coded
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.rand(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        rstd = torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5)
        return centred * rstd * self.gamma + self.beta


# %% wrong: no_keepdim | TRUE CAUSE: mean and variance are taken without keepdim=True, so (N, T) does not line up with (N, T, D): a crash, or wrong numbers where the sizes happen to fit
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1)
        variance = x.var(dim=-1, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output


# %% wrong: mean_of_squares | TRUE CAUSE: the variance is computed as the mean of x squared minus the squared mean, which loses most of its digits for features around 1,000
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        n = x.shape[-1]
        first = torch.sum(x, dim=-1, keepdim=True) / n
        second = torch.sum(x * x, dim=-1, keepdim=True) / n
        variance = (second - first * first).clamp(min=0)  # one pass over x
        return self.gamma * (x - first) / (variance + self.eps).sqrt() + self.beta
