# %% wrong: annotated-std-plus-eps | Two mistakes. x.std divides by D - 1 (the unbiased estimate) where LayerNorm's variance is the mean of the squares; and eps is added to the deviation instead of to the variance under the root.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta

# %% wrong: var-by-default | Leaves torch's var at its default, the unbiased estimate, which divides by D - 1; LayerNorm's variance is the mean of the squares and divides by D.
class LayerNorm(nn.Module):
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

# %% wrong: gemma-one-plus-gamma | Stores gamma as its distance from 1 (begins at 0, multiplies by 1 + gamma), as Gemma does: a new layer gives the same result, but the parameter is not the gamma of the formula, so it does not begin at 1, and a layer whose gamma is set scales by one too much.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.zeros(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
    def _norm(self, x):
        centered = x - x.mean(-1, keepdim=True)
        return centered * torch.rsqrt(centered.pow(2).mean(-1, keepdim=True) + self.eps)
    def forward(self, x):
        return self._norm(x) * (1.0 + self.gamma) + self.beta

# %% wrong: all-axes-but-the-batch | Takes mean and variance over all axes but the first, so the words of a sentence share them; LayerNorm stays inside one position and normalizes over the last axis only.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        axes = tuple(range(1, x.dim())) if x.dim() > 1 else (0,)
        variance, mean = torch.var_mean(x, dim=axes, correction=0, keepdim=True)
        return (x - mean) / (variance + self.eps).sqrt() * self.gamma + self.beta

# %% wrong: square-of-the-mean-subtracted | Computes the variance as the mean of x^2 minus the square of the mean: right on paper, but for features around 1,000 the difference of two large numbers loses its digits (and may be negative); the text says to subtract the mean before squaring.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        size = x.size(-1)
        first = torch.einsum("...d->...", x)[..., None] / size
        second = torch.einsum("...d,...d->...", x, x)[..., None] / size
        scale = (second - first * first + self.eps) ** -0.5
        return torch.addcmul(self.beta, self.gamma, (x - first) * scale)

# %% wrong: gamma-and-beta-as-buffers | Keeps gamma and beta as buffers: they are saved with the model, but they are not nn.Parameters, so the optimizer does not find them and they are never learned.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.register_buffer("gamma", torch.ones(d_model))
        self.register_buffer("beta", torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        away = x - x.mean(dim=-1, keepdim=True)
        deviation = away.square().mean(dim=-1, keepdim=True).add(self.eps).sqrt()
        return away / deviation * self.gamma + self.beta

# %% right: var-mean-rsqrt
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.empty(d_model))
        self.beta = nn.Parameter(torch.empty(d_model))
        self.reset_parameters()
    def reset_parameters(self):
        nn.init.ones_(self.gamma)
        nn.init.zeros_(self.beta)
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return self.beta + self.gamma * ((x - mean) * torch.rsqrt(variance + self.eps))

# %% right: centered-first
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        for name, start in (("gamma", 1.0), ("beta", 0.0)):
            self.register_parameter(name, nn.Parameter(torch.full((d_model,), start)))
        self.eps = eps
    def forward(self, x):
        d_model = self.gamma.numel()
        centered = x - x.sum(dim=-1, keepdim=True) / d_model
        spread = (centered * centered).sum(dim=-1, keepdim=True) / d_model
        return centered.div((spread + self.eps).sqrt()).mul(self.gamma).add(self.beta)
