# %% wrong: unbiased_variance | TRUE CAUSE: torch's var is used with its default, which divides by D - 1, instead of dividing by D
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
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: keepdim_forgotten | TRUE CAUSE: mean and variance are taken without keepdim, so their shape (N, T) does not line up with (N, T, D) in the difference and the division
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1)
        variance = x.var(dim=-1, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: words_share_the_mean | TRUE CAUSE: mean and variance run over axis 1, the words of a sentence, instead of over the last axis, the features
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=1, keepdim=True)
        variance = x.var(dim=1, keepdim=True, unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma_starts_at_zero | TRUE CAUSE: gamma starts as zeros instead of ones, so a new layer turns everything into beta
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
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: eps_outside_of_the_root | TRUE CAUSE: eps is added to the standard deviation instead of to the variance under the root
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)
        normed = (x - mean) / (variance.sqrt() + self.eps)
        output = torch.addcmul(self.beta, self.gamma, normed)
        return output

# %% wrong: mean_of_squares_minus_square | TRUE CAUSE: the variance is computed as the mean of x squared minus the squared mean, which loses most of its digits where the features are large beside their spread
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = torch.mean(x, -1, True)
        variance = torch.mean(x * x, -1, True) - mean * mean
        normed = (x - mean) / (variance + self.eps).abs() ** 0.5
        output = self.gamma * normed + self.beta
        return output

# %% wrong: eps_as_a_floor | TRUE CAUSE: eps is used as a lower limit of the variance (clamp) instead of being added to it
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.empty(d_model).fill_(1.0))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.sum(dim=-1, keepdim=True) / x.size(-1)
        variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True) / x.shape[-1]
        normed = (x - mean) / variance.clamp(min=self.eps).sqrt()
        output = self.gamma * normed + self.beta
        return output

# %% wrong: shift_before_scale_and_fixed_eps | TRUE CAUSE: two at once: beta is added before multiplying by gamma, so the shift is scaled too, and the eps under the root is hard-coded as 1e-6 instead of the one that __init__ gets
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = torch.var(x, dim=-1, correction=0, keepdim=True)
        normed = (x - mean) / (variance + 1e-6).pow(0.5)
        output = self.gamma * (normed + self.beta)
        return output

# %% wrong: all_positions_share_a_mean | TRUE CAUSE: mean and variance are taken over all features of all words of a sentence at once instead of for each position by itself
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        axes = tuple(range(1, x.dim())) if x.dim() > 1 else (0,)  # everything but the batch
        variance, mean = torch.var_mean(x, dim=axes, correction=0, keepdim=True)
        return (x - mean) * torch.rsqrt(variance + self.eps) * self.gamma + self.beta

# %% wrong: mean_subtracted_in_place | TRUE CAUSE: the mean is subtracted from x with -=, which changes the caller's tensor in place (and is refused where it needs a gradient)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        x -= x.mean(dim=-1, keepdim=True)
        variance = x.pow(2).mean(dim=-1, keepdim=True)
        return self.gamma * x / torch.sqrt(variance + self.eps) + self.beta

# %% wrong: statistics_without_gradient | TRUE CAUSE: mean and variance are computed under torch.no_grad, so the gradient treats them as constants and is wrong
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    @staticmethod
    @torch.no_grad()
    def statistics(x):
        mean = x.mean(-1, keepdim=True)
        return mean, ((x - mean) ** 2).mean(-1, keepdim=True)

    def forward(self, x):
        mean, variance = self.statistics(x)
        normed = (x - mean) / (variance + self.eps).sqrt()
        return normed * self.gamma + self.beta

# %% wrong: running_statistics_in_eval | TRUE CAUSE: the layer keeps running averages of mean and variance as batch norm does and uses them in eval mode, instead of doing the same in training and afterwards
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6, momentum=0.1):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
        self.momentum = momentum
        self.running_mean = 0.0
        self.running_variance = 1.0

    def forward(self, x):
        if self.training:
            mean = x.mean(dim=-1, keepdim=True)
            variance = (x - mean).square().mean(dim=-1, keepdim=True)
            m = self.momentum
            self.running_mean = (1 - m) * self.running_mean + m * mean.mean().item()
            self.running_variance = (1 - m) * self.running_variance + m * variance.mean().item()
        else:
            mean, variance = self.running_mean, self.running_variance
        return self.gamma * (x - mean) / (variance + self.eps) ** 0.5 + self.beta

# %% wrong: plain_tensor_and_no_root | TRUE CAUSE: two at once: gamma is a plain tensor instead of an nn.Parameter, so it is neither learned nor saved, and the difference is divided by the variance plus eps itself, without the root
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
        normed = (x - mean) / (variance + self.eps)
        output = self.gamma * normed + self.beta
        return output
