# %% right: own dropout module
class Drop(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
    def forward(self, y):
        if self.training and self.p > 0:
            hidden = torch.rand(y.shape, device=y.device) < self.p
            y = y.masked_fill(hidden, 0.0) / max(1 - self.p, 1e-12)
        return y
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm, self.dropout, self.norm_first = LayerNorm(d_model), Drop(dropout), norm_first
    def forward(self, x, sublayer):
        total = x + self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        return total if self.norm_first else self.norm(total)
# %% wrong: dropout on x only | dropout sits on the wrong summand
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = sublayer(read)
        total = self.dropout(x) + update
        return total if self.norm_first else self.norm(total)
# %% wrong: difference in place of sum | x - update
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x - update
        return total if self.norm_first else self.norm(total)
# %% wrong: product in place of sum | x * update, as a gate
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x * update
        return total if self.norm_first else self.norm(total)
# %% wrong: mean of both | halves the sum; post-norm hides it, pre-norm does not
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = (x + update) / 2
        return total if self.norm_first else self.norm(total)
# %% wrong: update added twice | x + update was already there, adds it again
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update + update
        return total if self.norm_first else self.norm(total)
# %% wrong: update detached | the sublayer gets no gradient
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update.detach()
        return total if self.norm_first else self.norm(total)
# %% wrong: norm applied after the sum's norm | post-norm normalizes twice
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(self.norm(total))
# %% wrong: sublayer by keyword | calls sublayer(x=...), which only functions with that name understand
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(x=read))
        total = x + update
        return total if self.norm_first else self.norm(total)
# %% wrong: sublayer.forward | only modules have a forward, the text says anything that can be called
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer.forward(read))
        total = x + update
        return total if self.norm_first else self.norm(total)
# %% wrong: dropout 0 taken for not given | `dropout or 0.1` makes 0.1 of 0
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout or 0.1)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)
# %% wrong: dropout in place | inplace=True changes the tensor that the sublayer returned
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout, inplace=True)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)
# %% wrong: alpha dropout | AlphaDropout does not set elements to zero and scales otherwise
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.AlphaDropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)
# %% wrong: dropout as eps | the second argument of LayerNorm is eps, not dropout
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model, dropout)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)
# %% wrong: d_model hard-wired | the paper's 512
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(512)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)
