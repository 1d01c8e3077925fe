# %% wrong: annotated-std | Two mistakes. x.std() divides by D - 1 (the unbiased estimate), where LayerNorm's variance is the mean of the squares, divided by D; and eps is added to the deviation outside the root, not to the variance under it.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super(LayerNorm, self).__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta

# %% wrong: whole-sentence | Mean and variance are taken over all axes but the batch, words and features together, so all positions of a sentence share one mean and one variance; LayerNorm normalizes the D features of each position by themselves (last axis only).
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        axes = [-1] if x.dim() < 3 else list(range(1, x.dim()))
        variance, mean = torch.var_mean(x, dim=axes, unbiased=False, keepdim=True)
        normed = (x - mean) * torch.rsqrt(variance + self.eps)
        return normed * self.gamma + self.beta

# %% wrong: one-pass-variance | The variance is computed as the mean of x^2 minus the square of the mean; the fine print asks to subtract the mean before squaring, because for features around 1,000 the difference of two large numbers loses most of its digits in float32 (it can even come out negative, and the root nan).
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones((d_model,)))
        self.beta = nn.Parameter(torch.zeros((d_model,)))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        mean_x2 = (x**2).mean(dim=-1, keepdim=True)
        var = mean_x2 - mean**2
        x_norm = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * x_norm + self.beta

# %% wrong: gamma-is-a-buffer | gamma is registered as a buffer: it is saved and moved with the model, but it is no nn.Parameter, so the optimizer never finds it and it is never learned.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.register_buffer("gamma", torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        centered = x - x.mean(dim=-1, keepdim=True)
        variance = centered.square().mean(dim=-1, keepdim=True)
        normed = centered / (variance + self.eps).sqrt()
        return normed * self.gamma + self.beta

# %% wrong: gamma-as-offset | gamma starts at 0 and the features are scaled by 1 + gamma, as in Gemma's and other "zero-centered" norms. A new layer looks right, but the formula scales by gamma itself: a layer whose gamma is set to other values (as when weights are copied to or from torch's `weight`) scales wrongly.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def _norm(self, x):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return (x - mean) * torch.rsqrt(var + self.eps)
    def forward(self, x):
        return self._norm(x) * (1.0 + self.gamma) + self.beta

# %% wrong: constant-statistics | Mean and deviation are computed under no_grad, as if they were constants. The result is right, but they depend on x, and without their share the gradient of x is wrong (training has to be able to send gradients through all of the formula).
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    @torch.no_grad()
    def statistics(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        return mean, (variance + self.eps).sqrt()
    def forward(self, x):
        mean, deviation = self.statistics(x)
        output = self.gamma * ((x - mean) / deviation)
        output = output + self.beta
        return output

# %% right: var-mean
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        var, mean = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
        x = (x - mean) * torch.rsqrt(var + self.eps)
        return self.gamma * x + self.beta

# %% right: dot-product
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.size, self.eps = d_model, eps
        self.gamma = nn.Parameter(torch.full((d_model,), 1.0))
        self.beta = nn.Parameter(torch.full((d_model,), 0.0))
    def forward(self, x):
        centered = x - x.sum(-1).div(self.size).unsqueeze(-1)
        squares = torch.einsum("...d,...d->...", centered, centered)
        deviation = torch.sqrt(squares / self.size + self.eps)
        return centered / deviation[..., None] * self.gamma + self.beta
