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
# %% wrong: eps squared | squares eps 'to match the variance'
class LayerNorm(nn.Module):
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
# %% wrong: gamma random | weights 'must start at random'
class LayerNorm(nn.Module):
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
# %% wrong: gamma of shape (1, 1, D) | x of one axis comes back with three
class LayerNorm(nn.Module):
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
# %% wrong: mean absolute deviation | takes the mean of the absolute differences as the deviation
class LayerNorm(nn.Module):
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
# %% wrong: keepdim forgotten | (N, T) does not line up with (N, T, D)
class LayerNorm(nn.Module):
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
# %% wrong: only the deviation detached | the gradient does not pass the denominator
class LayerNorm(nn.Module):
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
# %% wrong: default eps of torch | eps=1e-5 as the default
class LayerNorm(nn.Module):
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
# %% wrong: affine through .data | gamma and beta get no gradient
class LayerNorm(nn.Module):
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
