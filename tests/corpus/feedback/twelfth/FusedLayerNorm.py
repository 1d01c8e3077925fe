# %% wrong: beta_and_gamma_swapped | TRUE CAUSE: weight and bias of F.layer_norm are given in the wrong order in the blank layer_norm: it multiplies by beta and adds gamma
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.beta, self.gamma, self.eps)
        return output

# %% wrong: norm_over_all_positions | TRUE CAUSE: takes normalized_shape for the shape of a whole sentence (x.shape[1:]), so mean and variance are over positions and features together instead of over each position's features
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        shape = x.shape[1:]
        output = F.layer_norm(
            x, shape, self.gamma.expand(shape), self.beta.expand(shape), eps=self.eps
        )
        return output

# %% wrong: own_inner_nn_layernorm | TRUE CAUSE: an nn.LayerNorm inside holds the shared parameters, so they are named norm.weight and norm.bias instead of gamma and beta, and the module has no gamma attribute: saved weights do not fit
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta

    def forward(self, x):
        return self.norm(x)

# %% wrong: own_rms_kernel | TRUE CAUSE: uses the kernel of RMSNorm (F.rms_norm), which does not subtract the mean, in place of F.layer_norm
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps

    def forward(self, x):
        d = (x.size(-1),)
        return F.rms_norm(x, d, weight=self.gamma, eps=self.eps) + self.beta
