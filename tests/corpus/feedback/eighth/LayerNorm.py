# %% wrong: gamma_is_no_parameter | TRUE CAUSE: gamma is a plain tensor with requires_grad=True, not an nn.Parameter, so the optimizer does not find it and it is neither saved nor moved with the model.
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = torch.ones(d_model, requires_grad=True)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: std_unbiased_plus_eps | TRUE CAUSE: two mistakes: torch's std divides by D - 1 (unbiased) where LayerNorm divides by D; and eps is added to the standard deviation, outside the root, instead of to the variance.
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


# %% wrong: variance_over_the_words | TRUE CAUSE: the mean is taken over the features (dim=-1), but the variance over axis 1, which in (N, T, D) is the words; each feature is divided by a deviation shared across the sentence (and (D,) has no axis 1).
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=1, keepdim=True)
        normed = (x - mean) / (variance + self.eps).sqrt()  # blank: deviation
        output = normed * self.gamma + self.beta
        return output
