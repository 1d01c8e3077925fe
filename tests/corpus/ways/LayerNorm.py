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
