# %% right: the notebook's skeleton, filled
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% right: var_mean and rsqrt
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        var, mu = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mu) * torch.rsqrt(var + self.eps) * self.gamma + self.beta

# %% right: sums divided by D, verbose beginner
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super(LayerNorm, self).__init__()
        self.d_model = d_model
        self.eps = eps
        ones = torch.ones(d_model)
        zeros = torch.zeros(d_model)
        self.gamma = nn.Parameter(ones)
        self.beta = nn.Parameter(zeros)

    def forward(self, x):
        # step 1: the mean
        total = torch.sum(x, dim=-1, keepdim=True)
        mean = total / self.d_model
        # step 2: minus the mean
        difference = x - mean
        # step 3: the variance
        squares = difference * difference
        sum_of_squares = torch.sum(squares, dim=-1, keepdim=True)
        variance = sum_of_squares / self.d_model
        # step 4: divide by the root
        root = torch.sqrt(variance + self.eps)
        result = difference / root
        # step 5: gamma and beta
        result = result * self.gamma
        result = result + self.beta
        return result

# %% right: einsum for the mean and the variance
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        d = x.size(-1)
        mu = torch.einsum("...d->...", x).unsqueeze(-1) / d
        c = x - mu
        var = torch.einsum("...d,...d->...", c, c).unsqueeze(-1) / d
        return torch.einsum("d,...d->...d", self.gamma, c / (var + self.eps).sqrt()) + self.beta

# %% right: Python loop over the positions
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = []
        for row in x.reshape(-1, x.shape[-1]):
            centred = row - row.mean()
            rows.append(self.gamma * centred / (centred.pow(2).mean() + self.eps).sqrt() + self.beta)
        return torch.stack(rows).reshape(x.shape)

# %% right: recursion down to one position
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        if x.dim() > 1:
            return torch.stack([self.forward(part) for part in x])
        mean = x.sum() / len(x)
        variance = ((x - mean) ** 2).sum() / len(x)
        return self.gamma * ((x - mean) / (variance + self.eps) ** 0.5) + self.beta

# %% right: matmul with a vector of 1/D
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        average = torch.full((x.shape[-1], 1), 1.0 / x.shape[-1], dtype=x.dtype, device=x.device)
        centred = x - torch.matmul(x, average)
        variance = torch.matmul(centred * centred, average)
        return centred / torch.sqrt(variance + self.eps) * self.gamma + self.beta

# %% right: features moved to the front
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        features = x.movedim(-1, 0)  # (D, ...)
        mean = features.mean(dim=0)
        variance = features.var(dim=0, unbiased=False)
        normed = (features - mean) / (variance + self.eps).sqrt()
        return normed.movedim(0, -1) * self.gamma + self.beta

# %% right: rows flattened and put back
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d_model, self.eps = d_model, eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        shape = x.shape
        rows = x.reshape(-1, self.d_model)
        rows = rows - rows.mean(1)[:, None]
        rows = rows / (rows.square().mean(1)[:, None] + self.eps).sqrt()
        return (rows * self.gamma + self.beta).reshape(shape)

# %% right: unsqueeze instead of keepdim
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1).unsqueeze(-1)
        variance = x.var(-1, unbiased=False).unsqueeze(-1)
        normed = (x - mean) / (variance + self.eps).sqrt()
        output = torch.addcmul(self.beta, self.gamma, normed)
        return output

# %% right: expanded statistics
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(-1)[..., None].expand_as(x)
        centred = torch.sub(x, mu)
        var = centred.square().mean(-1)[..., None].expand_as(x)
        sigma = torch.sqrt(torch.add(var, self.eps))
        return torch.add(torch.mul(self.gamma.expand_as(x), torch.div(centred, sigma)), self.beta.expand_as(x))

# %% right: biased std, squared again
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        std, mean = torch.std_mean(x, dim=-1, unbiased=False, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(std**2 + self.eps) + self.beta

# %% right: hypot for the root
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        spread = centred.square().mean(-1, keepdim=True).add(self.eps)
        # sqrt(a) written as hypot(sqrt(a/2), sqrt(a/2)), to show that hypot exists
        half = (spread / 2).sqrt()
        return centred / torch.hypot(half, half) * self.gamma + self.beta

# %% right: length of the centred vector
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        d = x.shape[-1]
        c = x - x.mean(dim=-1, keepdim=True)
        length = torch.linalg.vector_norm(c, dim=-1, keepdim=True)
        return self.gamma * c / torch.sqrt(length.square() / d + self.eps) + self.beta

# %% right: rms_norm of the centred features
class LayerNorm(nn.Module):
    """Layer norm is RMS norm of x minus its mean."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    @staticmethod
    def rms(x, eps):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)

    def forward(self, x):
        return self.rms(x - x.mean(-1, keepdim=True), self.eps) * self.gamma + self.beta

# %% right: custom autograd function with its own backward
class _Normalize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        centred = x - x.mean(-1, keepdim=True)
        inverse = (centred.square().mean(-1, keepdim=True) + eps).rsqrt()
        normed = centred * inverse
        ctx.save_for_backward(normed, inverse)
        return normed

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        normed, inverse = ctx.saved_tensors
        plain = grad.mean(-1, keepdim=True)
        along = (grad * normed).mean(-1, keepdim=True)
        return inverse * (grad - plain - normed * along), None


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return _Normalize.apply(x, self.eps) * self.gamma + self.beta

# %% right: in-place on its own fresh tensors
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        deviation = centred.square().mean(dim=-1, keepdim=True)
        deviation.add_(self.eps)
        deviation = deviation.sqrt_()
        out = centred / deviation
        out = out * self.gamma
        out += self.beta
        return out

# %% right: clone first, then in place on the clone
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        y = x.clone()
        y -= x.mean(-1, keepdim=True)
        scale = 1 / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + self.eps)
        return y * scale * self.gamma + self.beta

# %% right: typed, documented, with reset_parameters and extra_repr
class LayerNorm(nn.Module):
    """Layer normalization over the last axis (Ba et al. 2016).

    Args:
        d_model: number of features.
        eps: added to the variance.
    """

    gamma: nn.Parameter
    beta: nn.Parameter

    def __init__(self, d_model: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.d_model = d_model
        self.eps = eps
        self.gamma = nn.Parameter(torch.empty(d_model))
        self.beta = nn.Parameter(torch.empty(d_model))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.ones_(self.gamma)
        nn.init.zeros_(self.beta)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mean: torch.Tensor = x.mean(dim=-1, keepdim=True)
        variance: torch.Tensor = (x - mean).pow(2).mean(dim=-1, keepdim=True)
        return self.gamma * ((x - mean) * (variance + self.eps).rsqrt()) + self.beta

    def extra_repr(self) -> str:
        return f"{self.d_model}, eps={self.eps}"

# %% right: float64 inside, back at the end
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        wide = x.to(torch.float64)
        wide = wide - wide.mean(-1, keepdim=True)
        wide = wide / (wide.square().mean(-1, keepdim=True) + self.eps).sqrt()
        return (self.gamma * wide + self.beta).to(x.dtype)

# %% right: upcasts half precision only
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        given = x.dtype
        if given in (torch.float16, torch.bfloat16):
            x = x.float()
        mu = x.mean(-1, True)
        out = (x - mu) / (x.var(-1, False, True) + self.eps).sqrt()
        return out.to(given) * self.gamma + self.beta

# %% right: register_parameter
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        nn.Module.__init__(self)
        self.register_parameter("gamma", nn.Parameter(torch.full((d_model,), 1.0)))
        self.register_parameter("beta", nn.Parameter(torch.full((d_model,), 0.0)))
        self.eps = eps

    def forward(self, x):
        mu = torch.mean(x, -1, keepdim=True)
        var = torch.mean(torch.pow(x - mu, 2), -1, keepdim=True)
        return torch.mul(torch.div(x - mu, torch.sqrt(var + self.eps)), self.gamma).add(self.beta)

# %% right: variance from all pairs of features
class LayerNorm(nn.Module):
    """The variance is half the mean of (x_i - x_j)^2 over all pairs i, j."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        pairs = x.unsqueeze(-1) - x.unsqueeze(-2)  # (..., D, D)
        centred = pairs.mean(-1)
        variance = pairs.square().mean((-2, -1)).unsqueeze(-1) / 2
        return centred / (variance + self.eps).sqrt() * self.gamma + self.beta

# %% right: Welford's algorithm, feature by feature
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = torch.zeros_like(x[..., 0])
        squares = torch.zeros_like(mean)
        for count, feature in enumerate(x.unbind(-1), start=1):
            delta = feature - mean
            mean = mean + delta / count
            squares = squares + delta * (feature - mean)
        variance = squares / count
        return (x - mean[..., None]) / (variance[..., None] + self.eps).sqrt() * self.gamma + self.beta

# %% right: functools.partial
from functools import partial

average = partial(torch.mean, dim=-1, keepdim=True)


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma, self.beta = (nn.Parameter(f(d_model)) for f in (torch.ones, torch.zeros))
        self.eps = eps

    def forward(self, x):
        c = x - average(x)
        return self.gamma * c * (average(c * c) + self.eps) ** -0.5 + self.beta

# %% right: more than asked, optional shift and scale
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6, *, scale=True, shift=True, device=None, dtype=None):
        super().__init__()
        kind = {"device": device, "dtype": dtype}
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model, **kind)) if scale else None
        self.beta = nn.Parameter(torch.zeros(d_model, **kind)) if shift else None

    def forward(self, x):
        variance, mean = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        y = (x - mean) / torch.sqrt(variance + self.eps)
        if self.gamma is not None:
            y = y * self.gamma
        if self.beta is not None:
            y = y + self.beta
        return y

# %% right: defensive programming
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        if int(d_model) != d_model or d_model < 1:
            raise ValueError(f"d_model must be a positive integer, not {d_model!r}")
        if eps < 0:
            raise ValueError("eps must not be negative")
        self.gamma = nn.Parameter(torch.ones(int(d_model)))
        self.beta = nn.Parameter(torch.zeros(int(d_model)))
        self.eps = float(eps)

    def forward(self, x):
        if not torch.is_floating_point(x):
            raise TypeError("LayerNorm wants floating point numbers")
        if x.shape[-1] != self.gamma.numel():
            raise ValueError(f"the last axis has {x.shape[-1]} features, not {self.gamma.numel()}")
        mean = x.mean(dim=-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        assert mean.shape == variance.shape == (*x.shape[:-1], 1)
        return self.gamma * (x - mean) / (variance + self.eps).sqrt() + self.beta

# %% right: unbiased variance, corrected by hand
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d_model = d_model
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        if self.d_model == 1:  # one feature is its own mean
            return (x - x) * self.gamma + self.beta
        variance = x.var(dim=-1, keepdim=True) * (self.d_model - 1) / self.d_model
        return self.gamma * (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(variance + self.eps) + self.beta

# %% right: vmap over a function of one position
def one_position(row, gamma, beta, eps):
    centred = row - row.mean()
    return gamma * centred / torch.sqrt(centred.dot(centred) / row.numel() + eps) + beta


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = x.reshape(-1, x.size(-1))
        out = torch.vmap(one_position, in_dims=(0, None, None, None))(rows, self.gamma, self.beta, self.eps)
        return out.reshape(x.size())

# %% right: pooling computes the means
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        flat = x.reshape(1, -1, x.shape[-1])
        centred = flat - F.adaptive_avg_pool1d(flat, 1)
        variance = F.adaptive_avg_pool1d(centred**2, 1)
        flat = centred / torch.sqrt(variance + self.eps)
        return flat.view(x.shape) * self.gamma + self.beta

# %% right: F.linear with diag(gamma)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        deviation = (x.var(-1, correction=0, keepdim=True) + self.eps).sqrt()
        return F.linear((x - mean) / deviation, torch.diag(self.gamma), self.beta)

# %% right: a plain base class and a child with the parameters
class Standardize(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / self.deviation(x - mean)

    def deviation(self, centred):
        return (centred.square().mean(dim=-1, keepdim=True) + self.eps).sqrt()


class LayerNorm(Standardize):
    def __init__(self, d_model, eps=1e-6):
        super().__init__(eps)
        self.gamma = nn.Parameter(torch.tensor([1.0] * d_model))
        self.beta = nn.Parameter(torch.tensor([0.0] * d_model))

    def forward(self, x):
        return super().forward(x) * self.gamma + self.beta

# %% right: gamma folded into the denominator's reciprocal first
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        slope = self.gamma * torch.rsqrt((x - mean).square().mean(dim=-1, keepdim=True) + self.eps)
        return x.sub(mean).mul(slope).add(self.beta)

# %% right: exp and log instead of a root
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        log_variance = torch.log(c.pow(2).mean(-1, keepdim=True) + self.eps)
        return self.gamma * c * torch.exp(-0.5 * log_variance) + self.beta

# %% wrong: torch's default var | divides by D - 1, since unbiased was not set to False
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

# %% wrong: D - 1 by hand | remembers from statistics class that a variance divides by D - 1
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True) / max(x.size(-1) - 1, 1)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: Annotated Transformer | unbiased deviation, eps outside of the root
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.std(dim=-1, keepdim=True)
        normed = (x - mean) / (variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: eps outside of the root | eps is added to the deviation, not to the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / (torch.sqrt(variance) + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: biased std plus eps | right deviation but eps never gets under the root
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True) ** 0.5
        normed = (x - mean) / (variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: mean over time | dim=1 taken for the features' axis
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=1, keepdim=True)
        variance = x.var(dim=1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: mean over axis -2 | counts the axes from the end and lands one too early
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-2, keepdim=True)
        variance = x.var(-2, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: batch norm axes | normalizes over all words of all sentences, feature by feature
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=tuple(range(x.dim() - 1)), keepdim=True)
        variance = x.var(dim=tuple(range(x.dim() - 1)), unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: one mean for the whole tensor | no dim given, so all positions share mean and variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean()
        variance = x.var(unbiased=False)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: mean right, variance over everything | only the mean got its axis
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = ((x - mean) ** 2).mean()
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: variance right, mean over everything | only the variance got its axis
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean()
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: no eps | eps is stored but never used
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: eps constant in forward | the argument eps is ignored
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + 1e-6)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: no root | divides by the variance
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / (variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: root taken twice | takes the std and then its root
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.std(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: eps squared | squares eps 'to match the variance'
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps**2)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: root of eps twice | sqrt(a + b) taken for sqrt(a) + sqrt(b)
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / (variance.sqrt() + self.eps**0.5)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma is a plain tensor | gamma is not a parameter, it is never learned or saved
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = torch.ones(d_model)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma with requires_grad but no Parameter | a tensor with a gradient is not registered with the module
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = torch.ones(d_model, requires_grad=True)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma frozen | gamma does not learn
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model), requires_grad=False)
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma starts at 0 | a fresh layer gives only zeros
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma random | weights 'must start at random'
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.randn(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma one number | one gamma for all features
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma of shape (1, 1, D) | x of one axis comes back with three
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1, 1, d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: gamma and beta changed roles | beta scales and gamma shifts
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.beta * normed + self.gamma
        return output

# %% wrong: beta inside the brackets | gamma scales beta, too
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * (normed + self.beta)
        return output

# %% wrong: gamma times x | scales x itself, normed is not used
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * x + self.beta
        return output

# %% wrong: gamma left out | forgets gamma
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = normed + self.beta
        return output

# %% wrong: beta left out | forgets beta
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed
        return output

# %% wrong: affine part left out | returns normed, right only for a fresh layer
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = normed
        return output

# %% wrong: mean absolute deviation | takes the mean of the absolute differences as the deviation
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).abs().mean(dim=-1, keepdim=True) ** 2
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: square of the mean difference | squares after the mean, so the variance is 0
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).mean(dim=-1, keepdim=True) ** 2
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: mean of the squares of x | the variance forgets to subtract the mean
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x ** 2).mean(dim=-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: sum of squares | the variance is not divided by D
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: keepdim forgotten | (N, T) does not line up with (N, T, D)
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

# %% wrong: keepdim replaced by unsqueeze(1) | the axis is put back at the wrong place, works only for N x 1 x D or by luck
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1).unsqueeze(1)
        variance = x.var(dim=-1, unbiased=False).unsqueeze(1)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: statistics detached | mean and variance taken as constants, so the gradient of x is wrong
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True).detach()
        variance = x.var(dim=-1, unbiased=False, keepdim=True).detach()
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: only the deviation detached | the gradient does not pass the denominator
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps).detach()
        output = self.gamma * normed + self.beta
        return output

# %% wrong: variance clamped at eps | eps as a lower bound instead of a summand
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / variance.clamp(min=self.eps).sqrt()
        output = self.gamma * normed + self.beta
        return output

# %% wrong: last axis written as 2 | right for (N, T, D) only
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=2, keepdim=True)
        variance = x.var(dim=2, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: default eps of torch | eps=1e-5 as the default
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: default eps of 1e-8 | eps copied from Adam
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-8):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: brackets lost | division binds stronger than minus, x - (mean / deviation)
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = x - mean / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: x not centred | divides by the deviation, but leaves the mean in
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = x / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: beta is a buffer | beta is saved but not learned
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.register_buffer("beta", torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: affine through .data | gamma and beta get no gradient
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma.data * normed + self.beta.data
        return output

# %% wrong: unbiased while training | thinks of batch norm: sample variance in training, biased in eval mode
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=self.training, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: returns the statistics, too | a tuple instead of a tensor
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output, mean, variance

# %% wrong: squeeze at the end | axes of length 1 vanish, right unless N, T or D is 1
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output.squeeze()

# %% wrong: hard-wired 512 | sums divided by the paper's D
class LayerNorm(nn.Module):
    """Bring each position's features to mean 0 and variance 1, then scale and shift them."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.sum(dim=-1, keepdim=True) / 512
        variance = (x - x.mean(dim=-1, keepdim=True)).square().sum(dim=-1, keepdim=True) / 512
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output

# %% wrong: in-place subtraction | `x -= mean` changes the caller's tensor
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        var, mu = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        x -= mu
        return x * torch.rsqrt(var + self.eps) * self.gamma + self.beta

# %% wrong: writes rows into x through a view | the loop fills x itself and returns it
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1])
        for i in range(len(rows)):
            c = rows[i] - rows[i].mean()
            rows[i] = c / (c.pow(2).mean() + self.eps).sqrt() * self.gamma + self.beta
        return rows.reshape(x.shape)

# %% wrong: mean of squares minus square of mean | cancellation: at a high level the float32 variance is noise, or negative
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        m1 = x.mean(-1, keepdim=True)
        m2 = x.square().mean(-1, keepdim=True)
        return (x - m1) / (m2 - m1.square() + self.eps).sqrt() * self.gamma + self.beta

# %% wrong: mean of squares minus mean | E[x^2] - E[x], the second square forgotten
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = (x * x).mean(-1, keepdim=True) - mu
        return self.gamma * (x - mu) / (var.abs() + self.eps).sqrt() + self.beta

# %% wrong: running statistics | keeps averages of earlier calls and uses them in eval mode, as batch norm does
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6, momentum=0.1):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps, self.momentum = eps, momentum
        self.register_buffer("running_mean", torch.zeros(1))
        self.register_buffer("running_var", torch.ones(1))

    def forward(self, x):
        if self.training:
            mean = x.mean(-1, keepdim=True)
            var = x.var(-1, unbiased=False, keepdim=True)
            with torch.no_grad():
                self.running_mean.lerp_(mean.mean().reshape(1).to(self.running_mean), self.momentum)
                self.running_var.lerp_(var.mean().reshape(1).to(self.running_var), self.momentum)
        else:
            mean, var = self.running_mean, self.running_var
        return (x - mean) / torch.sqrt(var + self.eps) * self.gamma + self.beta

# %% wrong: statistics cached by shape | a second x of the same shape gets the first one's mean
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
        self._cache = {}

    def forward(self, x):
        key = tuple(x.shape)
        if key not in self._cache:
            self._cache[key] = torch.std_mean(x, -1, unbiased=False, keepdim=True)
        std, mean = self._cache[key]
        return self.gamma * (x - mean) / torch.sqrt(std.square() + self.eps) + self.beta

# %% wrong: three axes unpacked | N, T, D = x.shape, though x can have other axes in front
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        N, T, D = x.shape
        mean = x.sum(2).view(N, T, 1) / D
        var = (x - mean).pow(2).sum(2).view(N, T, 1) / D
        return (x - mean) / (var + self.eps).sqrt() * self.gamma + self.beta

# %% wrong: always float32 | a float64 x comes back rounded to float32
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        h = x.float()
        h = h - h.mean(-1, keepdim=True)
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.eps)
        return h * self.gamma.float() + self.beta.float()

# %% wrong: statistics in bfloat16 | saves memory at the cost of the mean's digits
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        small = x.to(torch.bfloat16)
        mu = small.mean(-1, keepdim=True)
        var = (small - mu).square().mean(-1, keepdim=True)
        return ((x - mu.to(x)) * torch.rsqrt(var.to(x) + self.eps)) * self.gamma + self.beta

# %% wrong: normalizes in training only | takes layer norm for a kind of dropout, eval mode leaves x alone
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        if not self.training:
            return x * self.gamma + self.beta
        mu = x.mean(-1, keepdim=True)
        sd = torch.sqrt(x.var(-1, unbiased=False, keepdim=True) + self.eps)
        return (x - mu) / sd * self.gamma + self.beta

# %% wrong: F.normalize times sqrt(D) | F.normalize has no eps under a root, the argument is only a lower bound
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        unit = F.normalize(c, dim=-1, eps=self.eps)
        return unit * math.sqrt(x.size(-1)) * self.gamma + self.beta

# %% wrong: length 1 instead of variance 1 | forgets the factor sqrt(D)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        length = torch.linalg.vector_norm(c, dim=-1, keepdim=True)
        return c / torch.sqrt(length**2 + self.eps) * self.gamma + self.beta

# %% wrong: median instead of mean | the 'middle' is taken as the median
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        middle = x.median(dim=-1, keepdim=True).values
        var = x.sub(middle).square().mean(-1, keepdim=True)
        return self.gamma * (x - middle) / (var + self.eps).sqrt() + self.beta

# %% wrong: min-max scaling | brings the features into -1..1 instead of to variance 1; agrees on (1, 1, 5, 5)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
        middle, half = (low + high) / 2, (high - low) / 2
        return self.gamma * (x - middle) / (half.square() + self.eps).sqrt() + self.beta

# %% wrong: parameters made at the first call | an optimizer built before the first call does not know gamma and beta
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.d_model, self.eps = d_model, eps

    def forward(self, x):
        if not hasattr(self, "gamma"):
            self.gamma = nn.Parameter(torch.ones(self.d_model, dtype=x.dtype, device=x.device))
            self.beta = nn.Parameter(torch.zeros(self.d_model, dtype=x.dtype, device=x.device))
        var, mu = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        return self.gamma * (x - mu) / (var + self.eps).sqrt() + self.beta

# %% wrong: parameters shared by all layers of one size | a cache hands the same gamma and beta to every instance
_parameters = {}


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        if d_model not in _parameters:
            _parameters[d_model] = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.gamma, self.beta = _parameters[d_model]
        self.eps = eps

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = (x - mu).square().mean(-1, keepdim=True)
        return self.gamma * (x - mu) * (var + self.eps).rsqrt() + self.beta

# %% wrong: gamma stored minus 1 | scales by 1 + gamma, so gamma copied from torch's weight gives another layer
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        var, mu = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        return (1 + self.gamma) * ((x - mu) * torch.rsqrt(var + self.eps)) + self.beta

# %% wrong: eps in the numerator | adds eps to x - mean, nothing protects the division
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, unbiased=False, keepdim=True)
        return self.gamma * (x - mean + self.eps) / std + self.beta

# %% wrong: default dtype changed | set_default_dtype(float64) 'for precision' changes the whole program
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
        torch.set_default_dtype(torch.float64)

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = (x - mu).square().mean(-1, keepdim=True)
        return self.gamma * (x - mu) / (var + self.eps).sqrt() + self.beta

# %% wrong: seed set in the constructor | torch.manual_seed(0) 'so that results repeat' resets the global generator
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        torch.manual_seed(0)
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = ((x - mu) * (x - mu)).mean(-1, keepdim=True)
        return self.gamma * (x - mu) / (var + self.eps).sqrt() + self.beta

# %% wrong: gradients switched off for good | set_grad_enabled(False) around the statistics is never undone
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        torch.set_grad_enabled(False)
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta

# %% wrong: statistics under no_grad | mean and variance 'need no gradient'
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    @torch.no_grad()
    def standardize(self, x):
        c = x - x.mean(-1, keepdim=True)
        return c / torch.sqrt(c.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return torch.addcmul(self.beta, self.gamma, self.standardize(x))

# %% wrong: gradient cut by .data | works on x.data, so that nothing flows back to x
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = []
        for row in x.data.reshape(-1, x.shape[-1]):
            row = row - row.mean()
            rows.append(row / torch.sqrt((row * row).mean() + self.eps))
        return torch.stack(rows).reshape(x.shape) * self.gamma + self.beta

# %% wrong: clipped at 3 | outliers are cut off 'for stability'
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        var, mu = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        z = ((x - mu) / torch.sqrt(var + self.eps)).clamp(-3, 3)
        return self.gamma * z + self.beta

# %% wrong: zeros left out of the mean | takes features that are 0 for padding
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        real = (x != 0).to(x.dtype)
        count = real.sum(-1, keepdim=True).clamp(min=1)
        mean = (x * real).sum(-1, keepdim=True) / count
        var = ((x - mean).square() * real).sum(-1, keepdim=True) / count
        return self.gamma * (x - mean) / (var + self.eps).sqrt() + self.beta

# %% wrong: all-zero positions skipped | a zero vector 'is padding' and comes back as 0 instead of beta
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        padding = x.eq(0).all(dim=-1, keepdim=True)
        mu = x.mean(-1, keepdim=True)
        out = self.gamma * (x - mu) / ((x - mu).square().mean(-1, keepdim=True) + self.eps).sqrt() + self.beta
        return out.masked_fill(padding, 0.0)

# %% wrong: math.sqrt | math.sqrt wants one number, so it runs for a single position at most
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x - mean).pow(2).mean(dim=-1, keepdim=True)
        return self.gamma * (x - mean) / math.sqrt(variance + self.eps) + self.beta

# %% wrong: view on whatever comes | view(-1, D) fails for a transposed x
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        rows = x.view(-1, x.size(-1))
        rows = rows - rows.mean(1, keepdim=True)
        rows = rows / torch.sqrt(rows.square().mean(1, keepdim=True) + self.eps)
        return (rows * self.gamma + self.beta).view(x.size())

# %% wrong: rows never put back | returns (N * T, D)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        x = x.reshape(-1, x.size(-1))
        m, v = x.mean(1, keepdim=True), x.var(1, unbiased=False, keepdim=True)
        return (x - m) / (v + self.eps).sqrt() * self.gamma + self.beta

# %% wrong: whole sentence normalized | flattens (T, D) of each sentence, as layer norm for images does
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        axes = tuple(range(1, x.dim())) or (0,)
        var, mu = torch.var_mean(x, dim=axes, unbiased=False, keepdim=True)
        return (x - mu) * torch.rsqrt(var + self.eps) * self.gamma + self.beta

# %% wrong: loop stops one feature early | range(D - 1) leaves the last feature out of both sums
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        d = x.size(-1)
        mean = torch.zeros_like(x[..., :1])
        for i in range(d - 1):
            mean = mean + x[..., i : i + 1] / d
        variance = torch.zeros_like(mean)
        for i in range(d - 1):
            variance = variance + (x[..., i : i + 1] - mean) ** 2 / d
        return self.gamma * (x - mean) / (variance + self.eps).sqrt() + self.beta

# %% wrong: Welford with the old mean twice | the update squares delta instead of delta times the new difference
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = torch.zeros_like(x[..., 0])
        squares = torch.zeros_like(mean)
        for count, feature in enumerate(x.unbind(-1), start=1):
            delta = feature - mean
            mean = mean + delta / count
            squares = squares + delta * delta
        variance = squares / x.size(-1)
        return (x - mean[..., None]) / (variance[..., None] + self.eps).sqrt() * self.gamma + self.beta

# %% wrong: custom backward forgets one term | the gradient of the variance is missing in the hand-written backward
class _Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        c = x - x.mean(-1, keepdim=True)
        inverse = (c.square().mean(-1, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(inverse)
        return c * inverse

    @staticmethod
    def backward(ctx, grad):
        (inverse,) = ctx.saved_tensors
        return inverse * (grad - grad.mean(-1, keepdim=True)), None


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        return _Norm.apply(x, self.eps) * self.gamma + self.beta

# %% wrong: parameters named as in torch | weight and bias instead of gamma and beta
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        var, mu = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        return self.weight * (x - mu) * torch.rsqrt(var + self.eps) + self.bias

# %% wrong: eps as a Parameter | eps is trained with the rest (and found by the optimizer)
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = nn.Parameter(torch.tensor(eps))

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = (x - mu).square().mean(-1, keepdim=True)
        return self.gamma * (x - mu) / (var + self.eps).sqrt() + self.beta

# %% wrong: eps an int | int(eps) from a defensive constructor makes 0 of it
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(int(d_model)))
        self.beta = nn.Parameter(torch.zeros(int(d_model)))
        self.eps = int(eps)

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = (x - mu).square().mean(-1, keepdim=True)
        return self.gamma * (x - mu) / (var + self.eps).sqrt() + self.beta

# %% wrong: eps added again at each call | self.offset grows from call to call
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
        self.offset = torch.zeros(1)

    def forward(self, x):
        self.offset += self.eps
        mu = x.mean(-1, keepdim=True)
        var = (x - mu).square().mean(-1, keepdim=True)
        return self.gamma * (x - mu) / (var + self.offset.to(x)).sqrt() + self.beta

# %% wrong: parameters of float64 | gamma and beta in double make a float32 x come back as float64
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model, dtype=torch.float64))
        self.beta = nn.Parameter(torch.zeros(d_model, dtype=torch.float64))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        var = (x - mu).square().mean(-1, keepdim=True)
        return self.gamma * (x - mu) / (var + self.eps).sqrt() + self.beta

# %% wrong: abs and sign around a square root | normalizes each feature by its own distance, so every result is a sign
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        deviation = torch.sqrt(c**2 + self.eps)  # the mean over the features is forgotten
        return self.gamma * (c / deviation) + self.beta
