# %% wrong: gamma_starts_at_zero | TRUE CAUSE: gamma is made like beta, of zeros instead of ones, so a new layer returns 0 everywhere
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: gamma_no_parameter | TRUE CAUSE: gamma is a plain tensor, not an nn.Parameter, so it is neither trained nor saved nor moved
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = torch.ones(d_model)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: unbiased_variance | TRUE CAUSE: var is called without unbiased=False and so divides by D - 1 instead of D
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True)
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: no_root | TRUE CAUSE: the division is by the variance plus eps, the root is missing
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
        normed = (x - mean) / (variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: normed_over_the_words | TRUE CAUSE: mean and variance run over axis 1, the words of a sentence, instead of the features, the last axis
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=1, keepdim=True)
        variance = ((x - mean) ** 2).mean(dim=1, keepdim=True)
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: mean_over_the_whole_sentence | TRUE CAUSE: mean and variance are taken over words and features together, the last two axes, so the positions share one mean
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=(-2, -1), keepdim=True)
        centered = x - mean
        variance = centered.square().mean(dim=(-2, -1), keepdim=True)
        return self.gamma * centered * torch.rsqrt(variance + self.eps) + self.beta


# %% wrong: difference_of_squares | TRUE CAUSE: the variance is the mean of the squares minus the square of the mean, which loses its digits for features far from 0
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x**2).mean(dim=-1, keepdim=True) - mean**2
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: fixed_eps | TRUE CAUSE: the eps that __init__ gets is stored but not used; forward adds a number of its own
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
        normed = (x - mean) / torch.sqrt(variance + 1e-6)
        return normed * self.gamma + self.beta


# %% wrong: centers_x_in_place | TRUE CAUSE: x -= mean changes the caller's tensor in place (the returned numbers are right); with residuals that destroys what is to be added
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        x -= x.mean(dim=-1, keepdim=True)
        variance = (x * x).mean(dim=-1, keepdim=True)
        normed = x / (variance + self.eps).sqrt()
        output = self.gamma * normed + self.beta
        return output


# %% wrong: std_plus_eps | TRUE CAUSE: two mistakes, both from the Annotated Transformer: std divides by D - 1, and eps is added to the deviation instead of to the variance under the root
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
