# %% wrong: annotated-std | Two mistakes, both from The Annotated Transformer. x.std divides by D - 1 (the unbiased estimate) instead of D; and eps is added to the deviation, outside the root, instead of to the variance under it.
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

# %% wrong: whole-sentence | Mean and variance are taken over the words and the features together, the last two axes, so a word's result depends on the other words (and on the padding) of its sentence; each position is to be normalized by its own features alone. A vector (D,) raises an error.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        axes = (-2, -1)
        mean = x.mean(dim=axes, keepdim=True)
        var = ((x - mean) ** 2).mean(dim=axes, keepdim=True)
        x = (x - mean) / torch.sqrt(var + self.eps)
        return x * self.gamma + self.beta

# %% wrong: mean-of-squares-minus-square | The variance is computed as the mean of the squares minus the square of the mean. For features around 1,000 the difference of two large numbers loses its digits in float32, so the result is imprecise or even nan; the mean has to be subtracted before squaring.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        mean_x2 = (x**2).mean(dim=-1, keepdim=True)
        var = mean_x2 - mean**2
        x_norm = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * x_norm + self.beta

# %% wrong: eps-written-out | The eps of __init__ is ignored: 1e-5 is written into forward, so LayerNorm(D, eps=...) makes no difference, and the default is not 1e-6 either.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        centered = x - x.mean(-1, keepdim=True)
        variance = centered.pow(2).mean(-1, keepdim=True)
        return self.gamma * centered * torch.rsqrt(variance + 1e-5) + self.beta

# %% wrong: one-gamma-for-all | gamma and beta are single numbers, of shape (1,), which broadcast to all features; each feature is to have a gamma and a beta of its own, of shape (D,).
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1))
        self.beta = nn.Parameter(torch.zeros(1))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        return self.gamma * normed + self.beta

# %% wrong: karpathy-layernorm1d | Two mistakes, from Karpathy's LayerNorm1d, which was made for (B, D). Mean and variance run over axis 1, which is the words of (N, T, D), instead of the last axis; and gamma and beta are plain tensors, not nn.Parameters, so they are neither learned nor saved.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = torch.ones(d_model)
        self.beta = torch.zeros(d_model)
    def forward(self, x):
        xmean = x.mean(1, keepdim=True)
        xvar = x.var(1, keepdim=True, unbiased=False)
        xhat = (x - xmean) / torch.sqrt(xvar + self.eps)
        return self.gamma * xhat + self.beta

# %% wrong: statistics-without-gradient | Mean and variance are computed under torch.no_grad(), as if they were constants: the result is right, but the gradient with respect to x lacks the parts that go through the mean and the variance.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def statistics(self, x):
        with torch.no_grad():
            variance, mean = torch.var_mean(x, dim=-1, keepdim=True, unbiased=False)
        return mean, (variance + self.eps).sqrt()
    def forward(self, x):
        mean, deviation = self.statistics(x)
        return self.gamma * ((x - mean) / deviation) + self.beta

# %% wrong: view-needs-contiguous | The input is flattened to rows with view, which raises an error for an x that is not contiguous (such as a transposed one); reshape, or simply dim=-1, would do.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d_model = d_model
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        rows = x.view(-1, self.d_model)
        rows = rows - rows.mean(dim=1).unsqueeze(1)
        variance = (rows * rows).mean(dim=1).unsqueeze(1)
        rows = rows / torch.sqrt(variance + self.eps)
        return (rows * self.gamma + self.beta).view(x.shape)

# %% wrong: shift-before-scale | beta is added before the multiplication with gamma: gamma * (normed + beta) shifts by gamma * beta and not by beta. Nothing shows as long as beta is 0.
class LayerNorm(nn.Module):
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

# %% right: hyunwoongko-manner
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super(LayerNorm, self).__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        out = (x - mean) / torch.sqrt(var + self.eps)
        out = self.gamma * out + self.beta
        return out

# %% right: centered-once-rsqrt
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.register_parameter("gamma", nn.Parameter(torch.full((d_model,), 1.0)))
        self.register_parameter("beta", nn.Parameter(torch.full((d_model,), 0.0)))
    def forward(self, x):
        centered = x - x.mean(dim=-1).unsqueeze(-1)
        variance = centered.square().mean(dim=-1).unsqueeze(-1)
        return self.beta + self.gamma * centered * torch.rsqrt(variance + self.eps)
