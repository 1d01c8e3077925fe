# %% right: keywords
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(
            x, normalized_shape=(x.size(-1),), weight=self.gamma, bias=self.beta, eps=self.eps
        )  # blank: layer_norm
        return output

# %% right: shape_from_beta
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps

    def forward(self, x):
        shape = list(self.beta.shape)
        return F.layer_norm(x, shape, self.gamma, self.beta, self.eps)
