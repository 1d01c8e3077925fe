# %% right: two_returns
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if not self.norm_first:
            return self.norm(torch.add(self.dropout(sublayer(x)), x))
        return torch.add(self.dropout(sublayer(self.norm(x))), x)


# %% right: torch_norm_and_identities
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.rate = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        before, after = (self.norm, nn.Identity()) if self.norm_first else (nn.Identity(), self.norm)
        update = F.dropout(sublayer(before(x)), self.rate, training=self.training)
        return after(x + update)


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

# %% right: own_before_and_after
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.drop = nn.Dropout(p=dropout)
        self.norm_first = bool(norm_first)

    def forward(self, x, sublayer):
        steps = [lambda t: t, self.norm]
        before, after = steps[self.norm_first], steps[not self.norm_first]
        return after(self.drop(sublayer(before(x))) + x)
