# %% wrong: default_eps | TRUE CAUSE: eps is not handed on, so the kernel uses its own 1e-5 instead of the norm's.
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, (x.size(-1),), self.gamma, self.beta)
        return output

# %% wrong: all_but_the_batch | TRUE CAUSE: The normalized shape is all axes but the first, which does not fit gamma's shape (crash).
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, normalized_shape=x.shape[1:], weight=self.gamma, bias=self.beta, eps=self.eps)
        return output

# %% wrong: gamma_and_beta_swapped | TRUE CAUSE: gamma and beta are given in each other's place: beta scales and gamma shifts.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps
        self.shape = tuple(norm.gamma.shape)

    def forward(self, x):
        return F.layer_norm(x, self.shape, self.beta, self.gamma, self.eps)

# %% wrong: other_names | TRUE CAUSE: The parameters are put into an nn.LayerNorm inside, so they are shared but their names become norm.weight and norm.bias instead of gamma and beta.
class FusedLayerNorm(nn.Module):
    """PyTorch's LayerNorm with our weights."""

    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta

    def forward(self, x):
        return self.norm(x)
