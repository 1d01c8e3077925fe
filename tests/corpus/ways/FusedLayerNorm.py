# %% right: keywords
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(
            x, normalized_shape=(x.size(-1),), weight=self.gamma, bias=self.beta, eps=self.eps
        )  # blank: layer_norm
        return output

# %% right: shape_from_beta
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps

    def forward(self, x):
        shape = list(self.beta.shape)
        return F.layer_norm(x, shape, self.gamma, self.beta, self.eps)


# %% right: own_shape_of_gamma
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        for name in ("gamma", "beta", "eps"):
            setattr(self, name, getattr(norm, name))

    def forward(self, x):
        return F.layer_norm(
            x, normalized_shape=self.gamma.shape, weight=self.gamma, bias=self.beta, eps=self.eps
        )

# %% right: own_registered_and_keyword_options
class FusedLayerNorm(nn.Module):
    """gamma and beta belong to both modules afterwards."""

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


# %% right: tenth_own_keywords
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.eps = norm.eps
        self.register_parameter("gamma", norm.gamma)
        self.register_parameter("beta", norm.beta)

    def forward(self, x):
        features = (x.size(-1),)
        return F.layer_norm(input=x, normalized_shape=features, weight=self.gamma, bias=self.beta, eps=self.eps)

# %% right: tenth_own_arguments_in_a_list
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        for name in ["gamma", "beta", "eps"]:
            setattr(self, name, getattr(norm, name))

    def forward(self, x):
        args = [list(self.gamma.shape), self.gamma, self.beta, self.eps]
        return F.layer_norm(x, *args)


# %% right: eleventh_own_keywords
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        for name in ("gamma", "beta", "eps"):
            setattr(self, name, getattr(norm, name))

    def forward(self, x):
        d_model = x.size(-1)
        return F.layer_norm(x, (d_model,), weight=self.gamma, bias=self.beta, eps=self.eps)

# %% right: eleventh_own_register_parameter
class FusedLayerNorm(nn.Module):
    """LayerNorm in one call, on the parameters of a given one."""

    def __init__(self, norm):
        super().__init__()
        self.register_parameter("gamma", norm.gamma)
        self.register_parameter("beta", norm.beta)
        self.eps = norm.eps
        self.shape = tuple(norm.gamma.shape)

    def forward(self, x):
        args = (self.shape, self.gamma, self.beta, self.eps)
        return F.layer_norm(x, *args)


# %% right: twelfth_own_keywords
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        for name in ("gamma", "beta", "eps"):
            setattr(self, name, getattr(norm, name))

    def forward(self, x):
        options = {"weight": self.gamma, "bias": self.beta, "eps": self.eps}
        return F.layer_norm(x, tuple(self.gamma.shape), **options)

# %% right: twelfth_own_one_line
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.eps = norm.eps
        self.register_parameter("gamma", norm.gamma)
        self.register_parameter("beta", norm.beta)

    def forward(self, x):
        return F.layer_norm(x, [x.size(-1)], self.gamma, self.beta, self.eps)
