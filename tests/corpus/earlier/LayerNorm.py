# %% wrong: variance_around_the_mean_of_everything | The variance is taken around x.mean() without an axis, the mean of the whole tensor, instead of around each position's own mean: it is too large for every position whose mean differs from it.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - x.mean()).square().mean(dim=-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: own_three_axes_only | The shape is unpacked into exactly three sizes, so every x that is not (N, T, D), such as (D,) or (N, H, T, D), raises an error, though the text promises any number of axes in front.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def normalize(self, rows):
        mu = rows.mean(dim=1, keepdim=True)
        sigma = ((rows - mu).square().mean(dim=1, keepdim=True) + self.eps).sqrt()
        return (rows - mu) / sigma
    def forward(self, x):
        batch, length, d_model = x.shape
        rows = x.reshape(batch * length, d_model)
        normed = self.normalize(rows).reshape(batch, length, d_model)
        return normed * self.gamma + self.beta

# %% wrong: own_rows_changed_in_place | reshape gives a view of a contiguous x, and rows -= and rows /= work in place on it, so the caller's own x is overwritten by the normalized numbers (and an x that needs a gradient raises)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d_model = d_model
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        rows = x.reshape(-1, self.d_model)
        rows -= rows.mean(dim=1, keepdim=True)
        rows /= (rows.pow(2).mean(dim=1, keepdim=True) + self.eps).sqrt()
        return (rows * self.gamma + self.beta).reshape(x.shape)

# %% wrong: variance_as_difference_of_means | variance is computed as the mean of x squared minus the squared mean, which the text warns of: for features around 1,000 float32 loses most digits of the difference, so the result is far off or NaN
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x**2).mean(dim=-1, keepdim=True) - mean**2
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: own_mean_of_squares_minus_squared_mean | The variance is computed as the mean of x squared minus the squared mean: right on paper, but for features around 1,000 this difference loses most of its digits. The mean must be subtracted before squaring.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def moments(self, x):
        first = x.mean(dim=-1, keepdim=True)
        second = x.square().mean(dim=-1, keepdim=True)
        return first, second - first.square()
    def forward(self, x):
        mu, sigma_squared = self.moments(x)
        return self.gamma * (x - mu) * torch.rsqrt(sigma_squared + self.eps) + self.beta

# %% wrong: mean-of-squares-minus-square | The variance is computed as the mean of the squares minus the square of the mean. For features around 1,000 the difference of two large numbers loses its digits in float32, so the result is imprecise or even nan; the mean has to be subtracted before squaring.
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        mean_x2 = (x**2).mean(dim=-1, keepdim=True)
        var = mean_x2 - mean**2
        x_norm = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * x_norm + self.beta
