# %% wrong: default-eps | Leaves eps out of the call. F.layer_norm then takes its own default, 1e-5, and not the eps of the norm that it is made from.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        output = F.layer_norm(x, self.gamma.shape, self.gamma, self.beta)
        return output

# %% wrong: swapped-weight-and-bias | Passes beta as the weight and gamma as the bias: the order of the arguments is weight first, then bias. A new norm returns ones only.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        features = (x.size(-1),)
        output = F.layer_norm(x, features, self.beta, self.gamma, self.eps)
        return output

# %% wrong: whole-sentence | Normalizes over positions and features together, with gamma and beta expanded to that shape. Each position has to be normalized by its own features; only the last axis is the normalized shape.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        shape = x.shape[1:] if x.dim() > 1 else x.shape
        weight, bias = self.gamma.expand(shape), self.beta.expand(shape)
        return F.layer_norm(x, shape, weight, bias, self.eps)

# %% wrong: scaled-twice | Lets the kernel scale by gamma and add beta and then does both once more outside, as in the norm of lesson 03. After the kernel nothing is left to do.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        normed = F.layer_norm(x, self.gamma.size(), self.gamma, self.beta, self.eps)
        return torch.addcmul(self.beta, self.gamma, normed)

# %% wrong: two-copies-in-torchs-layer | Two mistakes. Makes new parameters with the values of the old ones, so they are copies and not the norm's own; and gives them torch's names inside another module (layer.weight, layer.bias), where the contract keeps gamma and beta.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.layer = nn.LayerNorm(norm.gamma.numel(), eps=norm.eps)
        with torch.no_grad():
            self.layer.weight.copy_(norm.gamma)
            self.layer.bias.copy_(norm.beta)
    def forward(self, x):
        return F.layer_norm(
            x, self.layer.normalized_shape, self.layer.weight, self.layer.bias, self.layer.eps
        )

# %% wrong: cloned-parameters | Clones gamma and beta into new nn.Parameters under the old names, thinking that a module needs its own. The contract wants exactly the same parameters, no copies: a change of one is not seen in the other.
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = nn.Parameter(norm.gamma.detach().clone())
        self.beta = nn.Parameter(norm.beta.detach().clone())
        self.eps = norm.eps
    def forward(self, x):
        return F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)

# %% right: keywords
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma, self.beta, self.eps = norm.gamma, norm.beta, norm.eps
    def forward(self, x):
        return F.layer_norm(
            x, normalized_shape=[x.shape[-1]], weight=self.gamma, bias=self.beta, eps=self.eps
        )

# %% right: nanogpt-way
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.eps = norm.eps
        self.register_parameter("gamma", norm.gamma)
        self.register_parameter("beta", norm.beta)
    def forward(self, x):
        return F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)
