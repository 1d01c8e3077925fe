# %% wrong: eps_forgotten | TRUE CAUSE: eps is not handed on, so PyTorch's default of 1e-5 is used in place of the norm's own
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)  # blank: layer_norm
        return output

# %% wrong: gamma_and_beta_swapped | TRUE CAUSE: beta is given as the weight and gamma as the bias
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.beta, self.gamma, self.eps)  # blank: layer_norm
        return output

# %% wrong: without_gamma_and_beta | TRUE CAUSE: only normalizes: the learned gamma and beta are not applied
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], eps=self.eps)  # blank: layer_norm
        return output

# %% wrong: over_positions_too | TRUE CAUSE: normalizes over positions and features together, not over the features of each position
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        normed = F.layer_norm(x, x.shape[1:], eps=self.eps)
        return self.gamma * normed + self.beta

# %% wrong: new_parameters | TRUE CAUSE: keeps an nn.LayerNorm with copies of the weights: they are not shared with the norm, and are called fast.weight and fast.bias in place of gamma and beta
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.fast = nn.LayerNorm(norm.gamma.size(0), eps=norm.eps)
        self.fast.weight.data = norm.gamma.data.clone()
        self.fast.bias.data = norm.beta.data.clone()

    def forward(self, x):
        return self.fast(x)
