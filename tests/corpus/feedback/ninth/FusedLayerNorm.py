# %% wrong: eps_not_passed | TRUE CAUSE: F.layer_norm is called without self.eps, so its default of 1e-5 is used in place of the norm's own eps, and vectors with a small variance come out too small.
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta)  # blank: layer_norm
        return output

# %% wrong: one_mean_for_a_sentence | TRUE CAUSE: normalized_shape is x.shape[1:], so mean and variance are taken over positions and features together instead of over the features of each position alone.
class FusedLayerNorm(nn.Module):
    """A LayerNorm as one kernel; it shares gamma and beta of the norm that it is made from."""

    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps

    def forward(self, x):
        output = F.layer_norm(x, x.shape[1:], eps=self.eps)  # blank: layer_norm
        output = output * self.gamma + self.beta
        return output

# %% wrong: own_gamma_and_beta_twice | TRUE CAUSE: The kernel already gets gamma and beta, and the last line of lesson 03 is kept behind it, so scale and shift are applied twice, which shows as soon as gamma is not 1 or beta is not 0.
class FusedLayerNorm(nn.Module):
    """The norm of lesson 03, with its mean and variance in one kernel."""

    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps
        self.size = tuple(norm.gamma.shape)

    def forward(self, x):
        normed = F.layer_norm(x, self.size, weight=self.gamma, bias=self.beta, eps=self.eps)
        return self.gamma * normed + self.beta

# %% wrong: own_copies_of_the_parameters | TRUE CAUSE: gamma and beta are new nn.Parameters made from clones instead of the parameters of the norm itself, so the two modules share nothing and drift apart as soon as one of them is trained or loaded.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        def take(p):
            return nn.Parameter(p.detach().clone())
        self.gamma, self.beta = take(norm.gamma), take(norm.beta)
        self.eps = norm.eps

    def forward(self, x):
        d_model = x.size(-1)
        return F.layer_norm(x, [d_model], self.gamma, self.beta, self.eps)

