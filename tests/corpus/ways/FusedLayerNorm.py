# %% right: twelfth_own_keywords
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        for name in ("gamma", "beta", "eps"):
            setattr(self, name, getattr(norm, name))
    def forward(self, x):
        options = {"weight": self.gamma, "bias": self.beta, "eps": self.eps}
        return F.layer_norm(x, tuple(self.gamma.shape), **options)
# %% right: own_registered_and_keyword_options
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.register_parameter("gamma", norm.gamma)
        self.register_parameter("beta", norm.beta)
        self.eps = norm.eps
    def options(self):
        return {"weight": self.gamma, "bias": self.beta, "eps": self.eps}
    def forward(self, x):
        *_, features = x.shape
        return F.layer_norm(x, (features,), **self.options())
# %% right: field_normalized_shape_and_weight
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.normalized_shape = tuple(norm.gamma.shape)
        self.eps = norm.eps
    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.gamma, self.beta, self.eps)
