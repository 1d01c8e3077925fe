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


# %% right: tenth_own_functional_dropout_and_torch_norm
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.rate = dropout
        self.norm_first = norm_first
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, x, sublayer):
        before, after = (self.layer_norm, nn.Identity()) if self.norm_first else (nn.Identity(), self.layer_norm)
        change = F.dropout(sublayer(before(x)), p=self.rate, training=self.training)
        return after(torch.add(x, change))
# %% right: tenth_own_two_methods
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.drop = nn.Dropout(p=dropout)
        self.ln = LayerNorm(d_model)
        self.norm_first = norm_first

    def _pre(self, x, f):
        return self.drop(f(self.ln(x))) + x

    def _post(self, x, f):
        return self.ln(self.drop(f(x)) + x)

    def forward(self, x, sublayer):
        return (self._pre if self.norm_first else self._post)(x, sublayer)


# %% right: eleventh_own_two_functions
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.p = dropout
        self.ln = nn.LayerNorm(d_model, eps=1e-6)
        same = nn.Identity()
        self.before, self.after = (self.ln, same) if norm_first else (same, self.ln)

    def forward(self, x, sublayer):
        change = F.dropout(sublayer(self.before(x)), p=self.p, training=self.training)
        return self.after(torch.add(x, change))
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

# %% right: twelfth_own_torch_norm_and_hand_mask
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.layer_norm = nn.LayerNorm(d_model, eps=1e-6)
        self.rate = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        delta = sublayer(self.layer_norm(x) if self.norm_first else x)
        if self.training and self.rate > 0:
            gone = torch.rand_like(delta) < self.rate
            delta = (delta / max(1 - self.rate, 1e-9)).masked_fill(gone, 0.0)
        summed = torch.stack([x, delta]).sum(dim=0)
        return summed if self.norm_first else self.layer_norm(summed)
