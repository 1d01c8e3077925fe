# %% wrong: eps-left-out | Does not hand on the norm's eps, so F.layer_norm uses its own default, 1e-5, whatever the given norm has.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)
        return output

# %% wrong: scaled-once-more | Scales by gamma and adds beta once more after F.layer_norm, which has done both already since it got the two.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        width = x.size(-1)
        normed = F.layer_norm(x, (width,), self.gamma, self.beta, self.eps)
        return torch.addcmul(self.beta, self.gamma, normed)

# %% wrong: pytorch-module-inside | Wraps an nn.LayerNorm that shares the parameters, but under the names norm.weight and norm.bias: the text wants the same parameters under the same names, gamma and beta, by which weights are saved and a norm is known.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta
    def forward(self, x):
        return self.norm(x)

# %% wrong: copies-of-the-parameters | Makes new parameters with copies of the numbers: the text wants the given norm's very parameters and no copies, so training one no longer changes the other.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.eps = norm.eps
        for name in ("gamma", "beta"):
            number = getattr(norm, name).detach().clone()
            self.register_parameter(name, nn.Parameter(number))
    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], weight=self.gamma, bias=self.beta, eps=self.eps)

# %% right: keywords
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.eps = norm.eps
        self.register_parameter("gamma", norm.gamma)
        self.register_parameter("beta", norm.beta)
        self.normalized_shape = tuple(norm.gamma.shape)
    def forward(self, x):
        settings = {"weight": self.gamma, "bias": self.beta, "eps": self.eps}
        return F.layer_norm(x, self.normalized_shape, **settings)

# %% right: last-axis
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        return F.layer_norm(x, [x.size(-1)], self.gamma, self.beta, self.eps)
