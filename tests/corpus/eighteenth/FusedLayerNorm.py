# %% wrong: default-eps | The eps of the given norm is not passed on, so F.layer_norm takes its own default, 1e-5, instead of the norm's (1e-6 as a rule): the result differs where the variance is small.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, weight=self.gamma, bias=self.beta)
        return output

# %% wrong: wrapped-torch-norm | The parameters are shared, but kept inside an nn.LayerNorm as its `weight` and `bias`: the part has norm.weight and norm.bias and no gamma and beta. They have to keep their names (the saved weights are found by them, and so is the norm).
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta
    def forward(self, hidden_states):
        return self.norm(hidden_states)

# %% wrong: over-words-too | normalized_shape is x.shape[1:], so one mean and one variance are shared by all words of a sentence and their features; only the last axis, the D features of a position, may be normalized together. (gamma and beta are then applied by hand, where the kernel should do it, too.)
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        normed = F.layer_norm(x, x.shape[1:], eps=self.eps)
        return torch.addcmul(self.beta, self.gamma, normed)

# %% wrong: new-parameters | New nn.Parameters are made around the data of the old ones. They share memory, but they are other objects: gradients and the optimizer of the original norm never reach them (nor the other way round), where the text says exactly the same ones, no copies.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.normalized_shape = tuple(norm.gamma.shape)
        self.gamma = nn.Parameter(norm.gamma.data)
        self.beta = nn.Parameter(norm.beta.data)
        self.eps = norm.eps
    def forward(self, x):
        return F.layer_norm(x, self.normalized_shape, self.gamma, self.beta, self.eps)

# %% right: keywords
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        for name in ("gamma", "beta"):
            self.register_parameter(name, getattr(norm, name))
        self.eps = norm.eps
    def forward(self, x):
        size = [x.size(-1)]
        return F.layer_norm(x, size, weight=self.gamma, bias=self.beta, eps=self.eps)
