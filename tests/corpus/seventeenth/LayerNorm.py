# %% wrong: annotated-two | Two mistakes. x.std divides by D - 1 if nothing is said, where LayerNorm divides by D; and eps is added to the standard deviation, outside the root, where it belongs to the variance under the root.
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

# %% wrong: square-mean-minus-mean-square | Computes the variance as the mean of x squared minus the squared mean. That is the same on paper, but for features around 1,000 the difference loses most of its digits; the mean has to be subtracted before squaring.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        size = x.size(-1)
        mean = x.sum(-1, keepdim=True) / size
        of_squares = torch.einsum("...d,...d->...", x, x).unsqueeze(-1) / size
        variance = (of_squares - mean * mean).clamp(min=0.0)
        return (x - mean) * torch.rsqrt(variance + self.eps) * self.gamma + self.beta

# %% wrong: buffers | Registers gamma and beta as buffers. They move and save with the module but are no nn.Parameters, so no optimizer finds them and they are never learned.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.register_buffer("gamma", torch.ones(d_model))
        self.register_buffer("beta", torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        return normed * self.gamma + self.beta

# %% wrong: fixed-eps | Writes torch's default 1e-5 into the formula and never uses the eps that __init__ got; the eps is the argument, and it need not be tiny.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight_shape = (d_model,)
        self.gamma = nn.Parameter(torch.ones(self.weight_shape))
        self.beta = nn.Parameter(torch.zeros(self.weight_shape))
    def forward(self, x):
        u = x.mean(-1, keepdim=True)
        s = (x - u).pow(2).mean(-1, keepdim=True)
        x = (x - u) / torch.sqrt(s + 1e-5)
        return self.gamma * x + self.beta

# %% right: var-mean-and-addcmul
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.eps = eps
    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
        return torch.addcmul(self.beta, (x - mean) * (variance + self.eps).rsqrt(), self.gamma)

# %% right: bert-way
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        u = x.mean(-1, keepdim=True)
        centered = x - u
        s = torch.einsum("...d,...d->...", centered, centered)[..., None] / x.shape[-1]
        return self.gamma * (centered / torch.sqrt(s + self.eps)) + self.beta
