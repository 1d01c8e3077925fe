# %% wrong: default_eps | F.layer_norm is called without eps, so it uses its own default of 1e-5 instead of the eps of the norm that it is made from (1e-6 by default).
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)
        return output
# %% wrong: normalizes_positions_together | The normalized shape is x.shape[1:], positions and features, so one mean and variance is taken over a whole sentence instead of one for each position.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        output = F.layer_norm(x, x.shape[1:], eps=self.eps) * self.gamma + self.beta
        return output
# %% wrong: own_inner_module | An nn.LayerNorm inside holds the shared parameters, so they are called norm.weight and norm.bias. The notebook wants the same parameters under the same names, gamma and beta (saved weights no longer fit).
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta
    def forward(self, x):
        return self.norm(x)
# %% wrong: own_forgets_beta | The kernel gets the weight but no bias: that beta begins at 0 does not mean that it stays 0. As soon as beta is trained, the shift is missing.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps
    def forward(self, x):
        features = (x.size(-1),)
        return F.layer_norm(x, normalized_shape=features, weight=self.gamma, eps=self.eps)
