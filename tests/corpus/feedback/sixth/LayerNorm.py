# %% wrong: std_plus_eps | TRUE CAUSE: two mistakes: torch's std divides by D - 1 when nothing is said (unbiased), and eps is added to the deviation outside of the root instead of to the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta


# %% wrong: beta_scaled_too | TRUE CAUSE: beta is added inside the parentheses, so that gamma multiplies the shift as well
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * (normed + self.beta)
        return output


# %% wrong: one_variance_for_all | TRUE CAUSE: the mean of the squares is taken without a dim, so all positions of the whole batch share one variance (the mean is each position's own)
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean()
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = self.gamma * normed + self.beta
        return output
