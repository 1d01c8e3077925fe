# %% wrong: default_eps | TRUE CAUSE: F.layer_norm is called without eps, so it uses its default of 1e-5 and not the eps of the norm that it is made from
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)
        return output

# %% wrong: over_all_but_batch | TRUE CAUSE: the normalized shape is x.shape[1:], so mean and variance are taken over all positions of a sentence together and not over the features of each position
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[1:], eps=self.eps) * self.gamma + self.beta
        return output

# %% wrong: own_cloned_parameters | TRUE CAUSE: gamma and beta are made as new nn.Parameters from clones in __init__, so the weights are copies that are not shared with the norm it is made from
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps

    def forward(self, x):
        d_model = x.size(-1)
        return F.layer_norm(x, (d_model,), weight=self.gamma, bias=self.beta, eps=self.eps)

# %% wrong: own_addcmul_swapped | TRUE CAUSE: torch.addcmul(gamma, normed, beta) adds gamma and multiplies by beta, so the roles of gamma and beta are exchanged
class FusedLayerNorm(nn.Module):
    """One kernel for the norm."""

    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps

    def forward(self, x):
        normed = F.layer_norm(x, self.gamma.shape, eps=self.eps)
        return torch.addcmul(self.gamma, normed, self.beta)
