# %% wrong: normalized-over-positions-too | As in d2l, the normalized shape is x.shape[1:], so mean and variance are taken over positions and features of a sentence together and not of each position alone.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        normed = F.layer_norm(x, x.shape[1:], eps=self.eps)
        return self.gamma * normed + self.beta

# %% wrong: eps-fixed-and-outside | eps is not given to the kernel but 0, and self.eps is added to the result instead, where it only shifts it: vectors whose features are all alike become nan, and small ones are blown up to variance 1.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, 0.0) + self.eps
        return output

# %% wrong: detached-weights | gamma and beta are kept as .data, plain tensors: they are no parameters of the module any more, missing in its state dict and its parameters, and get no gradient.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma.data
        self.beta = norm.beta.data
        self.eps = norm.eps
    def forward(self, x):
        return F.layer_norm(x, (x.size(-1),), weight=self.gamma, bias=self.beta, eps=self.eps)

# %% wrong: other-names-and-eps | Two mistakes: the eps of the norm is not handed on, so nn.LayerNorm takes its default 1e-5; and the names change: an nn.LayerNorm is put inside and given the parameters: they are shared, but their names in the state dict are norm.weight and norm.bias and not gamma and beta, so saved weights do not fit any more (and a search for gamma does not find it).
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = nn.LayerNorm(norm.gamma.numel())
        self.norm.weight = norm.gamma
        self.norm.bias = norm.beta
    def forward(self, x):
        return self.norm(x)

# %% right: registered
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.register_parameter("gamma", norm.gamma)
        self.register_parameter("beta", norm.beta)
        self.normalized_shape = tuple(norm.gamma.shape)
        self.eps = norm.eps
    def forward(self, x):
        return F.layer_norm(x, self.normalized_shape, self.gamma, self.beta, self.eps)
