# %% wrong: annotated-pre-norm | norm_first is stored and never used: as in the Annotated Transformer, the sublayer always reads the norm of x and the sum is never normalized. So the default, post-norm, which has to return the norm of the sum, is pre-norm instead.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super(SublayerConnection, self).__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))

# %% wrong: residual-of-the-norm | In pre-norm x is overwritten by its norm before the sublayer runs, so the sum adds the sublayer's output to the NORM of x instead of to x as it was passed in; the straight way is then normalized.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            x = self.norm(x)
        x = x + self.dropout(sublayer(x))
        return x if self.norm_first else self.norm(x)

# %% wrong: dropout-on-the-sum | Dropout is put on the sum x + sublayer(x) instead of on the sublayer's output before it is added, so in training x itself is dropped and scaled, and the straight way through is damaged (in eval mode nothing is different).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        before = self.norm if self.norm_first else nn.Identity()
        after = nn.Identity() if self.norm_first else self.norm
        total = torch.add(x, sublayer(before(x)))
        return after(self.dropout(total))

# %% wrong: norm-of-the-update | In post-norm the norm is put around the sublayer's output alone, x + norm(dropout(sublayer(x))), as in Swin v2; the paper normalizes the sum, norm(x + dropout(sublayer(x))). Nothing brings x back to a known size.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        shortcut = x
        if self.norm_first:
            return shortcut + self.dropout(sublayer(self.norm(x)))
        return shortcut + self.norm(self.dropout(sublayer(x)))

# %% wrong: functional-dropout | F.dropout has training=True as its default and does not know the module's mode, so it drops in eval mode, too; it needs training=self.training (or the module nn.Dropout).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.norm_first = norm_first
    def residual(self, x, update):
        return x + F.dropout(update, p=self.p)
    def forward(self, x, sublayer):
        if self.norm_first:
            return self.residual(x, sublayer(self.norm(x)))
        return self.norm(self.residual(x, sublayer(x)))

# %% wrong: adds-in-place | `x += ...` adds the update to the caller's tensor x in place (after the sublayer has read it), where the fine print says that neither x nor the sublayer's output may be changed in place; it should be x = x + ....
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        x += update
        if not self.norm_first:
            x = self.norm(x)
        return x

# %% right: two-methods
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.norm_first = norm_first
    def update(self, y, sublayer):
        return F.dropout(sublayer(y), self.p, self.training)
    def pre(self, x, sublayer):
        return torch.add(x, self.update(self.norm(x), sublayer))
    def post(self, x, sublayer):
        return self.norm(torch.add(x, self.update(x, sublayer)))
    def forward(self, x, sublayer):
        way = self.pre if self.norm_first else self.post
        return way(x, sublayer)
