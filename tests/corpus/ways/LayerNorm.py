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
