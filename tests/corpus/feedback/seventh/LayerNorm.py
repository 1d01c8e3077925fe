# %% wrong: root_taken_twice | TRUE CAUSE: the blank variance holds the standard deviation (x.std), and the root is taken of it once more, so the division is by the fourth root of the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.std(dim=-1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output


# %% wrong: normalizes_the_input_itself | TRUE CAUSE: x is centered and divided in place (-=, /=), so the caller's tensor is overwritten, which ruins the residual, and gradients cannot go back through it
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        x -= x.mean(dim=-1, keepdim=True)
        x /= (x.square().mean(dim=-1, keepdim=True) + self.eps).sqrt()
        return self.gamma * x + self.beta


# %% wrong: plain_gamma_and_unbiased_variance | TRUE CAUSE: two mistakes: gamma is a plain tensor of ones and no nn.Parameter, so it is never learned or saved, and var is called without unbiased=False, so it divides by D - 1
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = torch.ones(d_model)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)  # blank: deviation
        output = self.gamma * normed + self.beta
        return output
