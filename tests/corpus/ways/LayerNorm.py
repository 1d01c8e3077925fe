# %% right: by_rsqrt_of_the_centered
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.gamma = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        centered = x - x.sum(dim=-1, keepdim=True) / x.size(-1)
        mean_square = centered.square().sum(-1, keepdim=True) / x.shape[-1]
        return torch.addcmul(self.beta, centered * torch.rsqrt(mean_square + self.eps), self.gamma)


# %% right: mean_and_var_unsqueezed
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = torch.mean(x, -1)[..., None]
        variance = torch.var(x, dim=-1, correction=0).unsqueeze(-1)
        normed = (x - mean) / torch.sqrt(self.eps + variance)  # blank: deviation
        output = self.beta + normed * self.gamma
        return output


# %% right: own_var_mean_and_addcmul
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, features):
        var, mu = torch.var_mean(features, dim=-1, correction=0, keepdim=True)
        z = (features - mu) * (var + self.eps) ** -0.5
        return torch.addcmul(self.beta, z, self.gamma)

# %% right: own_flat_rows_and_matrix_products
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        for name, start in (("gamma", torch.ones), ("beta", torch.zeros)):
            self.register_parameter(name, nn.Parameter(start(d_model)))
        self.eps = eps

    def forward(self, x):
        D = x.shape[-1]
        rows = x.reshape(-1, D)
        rows = rows - (rows.sum(dim=1) / D)[:, None]
        mean_of_squares = torch.einsum("rd,rd->r", rows, rows) / D
        root = torch.sqrt(mean_of_squares + self.eps)
        rows = rows / root[:, None]
        return (rows * self.gamma + self.beta).reshape(x.shape)


# %% right: tenth_own_var_mean_and_addcmul
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.beta = nn.Parameter(torch.full((d_model,), 0.0))
        self.gamma = nn.Parameter(torch.full((d_model,), 1.0))

    def forward(self, x):
        v, m = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
        return torch.addcmul(self.beta, self.gamma, (x - m) * torch.rsqrt(v + self.eps))
# %% right: tenth_own_einsum_of_the_centered
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def centered(self, x):
        return x - (x.sum(dim=-1) / x.shape[-1])[..., None]

    def forward(self, x):
        c = self.centered(x)
        sigma2 = torch.einsum("...d,...d->...", c, c) / x.shape[-1]
        root = (sigma2 + self.eps) ** 0.5
        return c / root[..., None] * self.gamma + self.beta


# %% right: eleventh_own_features_to_the_front
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        scale_and_shift = torch.stack([torch.ones(d_model), torch.zeros(d_model)])
        self.gamma, self.beta = (nn.Parameter(row.clone()) for row in scale_and_shift)
        self.eps = eps

    def forward(self, x):
        f = x.movedim(-1, 0)
        f = f - f.mean(0)
        f = f / ((f**2).mean(0) + self.eps) ** 0.5
        return f.movedim(0, -1) * self.gamma + self.beta
# %% right: eleventh_own_sums_and_rsqrt
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d = d_model
        self.eps = eps
        for name, start in (("gamma", 1.0), ("beta", 0.0)):
            self.register_parameter(name, nn.Parameter(torch.full((d_model,), start)))

    def average(self, numbers):
        return numbers.sum(-1).unsqueeze(-1) / self.d

    def forward(self, x):
        centered = x - self.average(x)
        inverse = torch.rsqrt(self.average(centered.square()) + self.eps)
        return torch.addcmul(self.beta, self.gamma, centered * inverse)


# %% right: twelfth_own_features_first
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        features = x.movedim(-1, 0)
        count = len(features)
        centered = features - sum(features) / count
        size = (sum(c * c for c in centered) / count + self.eps) ** 0.5
        return (centered / size).movedim(0, -1) * self.gamma + self.beta

# %% right: twelfth_own_var_mean_addcmul
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        for name, value in (("gamma", 1.0), ("beta", 0.0)):
            self.register_parameter(name, nn.Parameter(torch.full((d_model,), value)))
        self.eps = eps

    def forward(self, x):
        v, m = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return torch.addcmul(self.beta, self.gamma, (x - m) * (v + self.eps).rsqrt())
