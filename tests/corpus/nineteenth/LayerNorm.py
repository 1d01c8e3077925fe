# %% wrong: annotated-std | Two mistakes. It divides by torch's std, which is the unbiased one (D - 1) if nothing is said, where LayerNorm's variance divides by D; and eps is added to the standard deviation, outside the root, where it belongs to the variance, under the root.
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

# %% wrong: per-feature | Takes mean and variance of each feature over all positions (all axes but the last), which is batch normalization; LayerNorm takes those of each position over its features, the last axis.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        positions = tuple(range(x.dim() - 1))
        mean = x.mean(dim=positions, keepdim=True)
        centered = x - mean
        variance = centered.square().mean(dim=positions, keepdim=True)
        normed = centered / torch.sqrt(variance + self.eps)
        return self.gamma * normed + self.beta

# %% wrong: mean-of-squares-minus | Computes the variance as the mean of the squares minus the square of the mean; the same on paper, but for features around 1,000 the difference loses most of its digits, so the text asks to subtract the mean before squaring.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        mean = x.mean(dim=[-1], keepdim=True)
        mean_x2 = (x**2).mean(dim=[-1], keepdim=True)
        var = mean_x2 - mean**2
        x_norm = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * x_norm + self.beta

# %% wrong: gamma-is-a-buffer | gamma is registered as a buffer, which is saved and moved with the model but is no parameter: the optimizer never finds it, so it stays at 1 and is not learned. It has to be an nn.Parameter.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.register_buffer("gamma", torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: axis-two | Normalizes over axis 2 by its number, which is the feature axis of (N, T, D) alone; with more axes in front it takes the positions for the features, and with fewer there is no such axis. The features are the last axis, -1.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=2, keepdim=True, unbiased=False)
        normed = (x - mean) * torch.rsqrt(variance + self.eps)
        return torch.addcmul(self.beta, self.gamma, normed)

# %% wrong: eps-as-floor | Uses eps as a smallest allowed standard deviation (clamp) in place of adding it to the variance under the root; the formula divides by the root of variance + eps, which differs wherever eps is not tiny beside the variance.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        centered = x - x.mean(dim=-1, keepdim=True)
        deviation = centered.square().mean(dim=-1, keepdim=True).sqrt().clamp(min=self.eps)
        return centered / deviation * self.gamma + self.beta

# %% right: var-mean
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        for name, value in (("gamma", 1.0), ("beta", 0.0)):
            self.register_parameter(name, nn.Parameter(torch.full((d_model,), value)))
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, keepdim=True, unbiased=False)
        return torch.addcmul(self.beta, self.gamma, (x - mean) * (variance + self.eps).rsqrt())

# %% right: sums-by-hand
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        features = x.shape[-1]
        centered = x - x.sum(dim=-1, keepdim=True) / features
        squares = torch.einsum("...d,...d->...", centered, centered).unsqueeze(-1)
        return self.beta + self.gamma * centered / (squares / features + self.eps) ** 0.5
