# %% wrong: eps_forgotten | TRUE CAUSE: F.layer_norm is called without self.eps, so it uses PyTorch's default 1e-5 instead of the norm's own eps
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)
        return output

# %% wrong: parameters_wrapped_anew | TRUE CAUSE: gamma and beta are wrapped in new nn.Parameter objects around the old data, so they are other parameters than the norm's own: gradients arrive at the new ones and an optimizer of the model does not see them
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.data)
        self.beta = nn.Parameter(norm.beta.data)
        self.eps = norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.eps)
        return output

# %% wrong: own_inner_layer_norm | TRUE CAUSE: the parameters live in an inner nn.LayerNorm as norm.weight and norm.bias, so they do not keep their names gamma and beta (state_dict changes, and nothing has a gamma)
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta

    def forward(self, x):
        return self.norm(x)

# %% wrong: own_all_but_the_batch | TRUE CAUSE: the normalized shape is x.shape[1:], positions and features together, so mean and variance are those of a whole sentence instead of each position's features
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.eps = norm.eps
        self.gamma = norm.gamma
        self.beta = norm.beta

    def forward(self, x):
        shape = x.shape[1:]
        weight, bias = self.gamma.expand(shape), self.beta.expand(shape)
        return F.layer_norm(x, shape, weight=weight, bias=bias, eps=self.eps)
