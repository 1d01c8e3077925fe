# %% right: eleventh_own_mask_by_hand
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.layer_norm = LayerNorm(d_model)
        self.keep = 1 - dropout
        self.norm_first = norm_first
    def thin_out(self, y):
        if not self.training or self.keep == 1:
            return y
        if self.keep == 0:
            return torch.zeros_like(y)
        stays = torch.rand_like(y) < self.keep
        return torch.where(stays, y / self.keep, torch.zeros_like(y))
    def pre(self, x, sublayer):
        return self.thin_out(sublayer(self.layer_norm(x))) + x
    def post(self, x, sublayer):
        return self.layer_norm(self.thin_out(sublayer(x)) + x)
    def forward(self, x, sublayer):
        return (self.pre if self.norm_first else self.post)(x, sublayer)
# %% right: own_two_methods_and_functional_dropout
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.rate = dropout
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.norm_first = norm_first
    def _post(self, x, f):
        return self.norm(torch.add(x, self._drop(f(x))))
    def _pre(self, x, f):
        return torch.add(x, self._drop(f(self.norm(x))))
    def _drop(self, y):
        return F.dropout(y, p=self.rate, training=self.training)
    def forward(self, x, sublayer):
        return (self._pre if self.norm_first else self._post)(x, sublayer)
# %% right: twelfth_own_two_methods
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.p = dropout
        self.norm = LayerNorm(d_model)
        self.way = self.pre_norm if norm_first else self.post_norm
    def change(self, read, sublayer):
        return F.dropout(sublayer(read), p=self.p, training=self.training)
    def pre_norm(self, x, sublayer):
        return x + self.change(self.norm(x), sublayer)
    def post_norm(self, x, sublayer):
        return self.norm(x + self.change(x, sublayer))
    def forward(self, x, sublayer):
        return self.way(x, sublayer)
# %% right: field_torch_norm_and_functional_dropout
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm, self.p, self.norm_first = nn.LayerNorm(d_model), dropout, norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            return x + F.dropout(sublayer(self.norm(x)), self.p, self.training)
        return self.norm(F.dropout(sublayer(x), self.p, self.training) + x)
