# %% right: thirteenth_own_mean_by_sum_and_rsqrt
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        for name, start in (("gamma", 1.0), ("beta", 0.0)):
            self.register_parameter(name, nn.Parameter(torch.full((d_model,), start)))
        self.eps = eps
    @staticmethod
    def _mean(x):
        return x.sum(dim=-1, keepdim=True) / x.shape[-1]
    def forward(self, x):
        away = x - self._mean(x)
        inverse = torch.rsqrt(self._mean(away * away) + self.eps)
        return self.beta + away * inverse * self.gamma
# %% right: own_flat_rows_and_matrix_products
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        for name, start in (("gamma", torch.ones), ("beta", torch.zeros)):
            self.register_parameter(name, nn.Parameter(start(d_model)))
        self.eps = eps
    def forward(self, x):
        D = x.shape[-1]
        rows = x.reshape(-1, D)
        rows = rows - (rows.sum(dim=1) / D)[:, None]
        mean_of_squares = torch.einsum("rd,rd->r", rows, rows) / D
        root = torch.sqrt(mean_of_squares + self.eps)
        rows = rows / root[:, None]
        return (rows * self.gamma + self.beta).reshape(x.shape)
# %% right: field_var_unbiased_false
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super(LayerNorm, self).__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        out = (x - mean) / torch.sqrt(var + self.eps)
        return self.gamma * out + self.beta
# %% right: field_std_of_mean_of_squares
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
    def forward(self, x):
        centered = x - x.mean(dim=-1, keepdim=True)
        inverse = torch.rsqrt((centered ** 2).mean(dim=[-1], keepdim=True) + self.eps)
        return torch.addcmul(self.beta, centered * inverse, self.gamma)
