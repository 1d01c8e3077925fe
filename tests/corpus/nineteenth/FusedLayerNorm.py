# %% wrong: default-eps | Doesn't pass the norm's eps, so the kernel uses its own default, 1e-5, where the given norm has another one.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta)
        return output

# %% wrong: scaled-twice | The kernel is given gamma and beta, and its result is multiplied by gamma and shifted by beta once more; the kernel does both already, and no step comes after it.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        normed = F.layer_norm(
            x, normalized_shape=self.gamma.shape, weight=self.gamma, bias=self.beta, eps=self.eps
        )
        return torch.addcmul(self.beta, self.gamma, normed)

# %% wrong: new-parameters | Wraps the numbers of gamma and beta in new parameters (copies): the fast part must have exactly the same parameters as the norm, so that it stays equal when either is trained or loaded.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps
    def forward(self, x):
        return F.layer_norm(x, (x.size(-1),), self.gamma, self.beta, self.eps)

# %% wrong: other-names | Puts torch's nn.LayerNorm inside and hands it the parameters, which are then called norm.weight and norm.bias, where they have to keep their names, gamma and beta (saved weights no longer fit, and nobody finds the gamma).
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta
    def forward(self, x):
        return self.norm(x)

# %% right: by-keyword
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.eps = norm.eps
        for name in ("gamma", "beta"):
            self.register_parameter(name, getattr(norm, name))
    def forward(self, x):
        options = {"weight": self.gamma, "bias": self.beta, "eps": self.eps}
        return F.layer_norm(x, self.gamma.shape, **options)
