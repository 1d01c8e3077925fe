# %% wrong: weight_and_bias_swapped | TRUE CAUSE: beta is passed as the weight and gamma as the bias
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.beta, self.gamma, self.eps)  # blank: layer_norm
        return output

# %% wrong: scaled_and_shifted_twice | TRUE CAUSE: gamma and beta are given to the kernel, and applied once more to its result
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = self.gamma * F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps) + self.beta  # blank: layer_norm
        return output

# %% wrong: whole_sentence_normed | TRUE CAUSE: normalizes over all axes behind the batch, positions and features together, instead of over each position's features
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        normed = F.layer_norm(x, x.shape[1:], eps=self.eps)
        return normed * self.gamma + self.beta

# %% wrong: own_parameters | TRUE CAUSE: gamma and beta are new parameters with cloned values instead of the norm's own: equal at first, but not shared, so training one does not change the other
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps

    def forward(self, x):
        return F.layer_norm(
            x, normalized_shape=(x.size(-1),), weight=self.gamma, bias=self.beta, eps=self.eps
        )

