# %% wrong: norm-inside-the-sum | In post-norm, normalizes what the sublayer returned and adds x to that, x + norm(update), where the paper normalizes the sum, norm(x + update).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            read = self.norm(x)
        else:
            read = x
        update = self.dropout(sublayer(read))
        total = x + update
        if self.norm_first:
            return total
        return x + self.norm(update)

# %% wrong: dropout-on-the-sum | Puts dropout on the sum of x and the update, so x itself is dropped, too. Dropout belongs to the sublayer's output alone, before it is added, and x never goes through it.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        def joined(read):
            return self.dropout(x + sublayer(read))
        return joined(self.norm(x)) if self.norm_first else self.norm(joined(x))

# %% wrong: pre-norm-normed-twice | In pre-norm, normalizes the sum at the end as well, as in post-norm, where pre-norm has to leave the sum as it is.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, sublayer):
        update = sublayer(x) if not self.norm_first else sublayer(self.norm(x))
        total = self.dropout(update).add(x)
        return self.norm(total)

# %% wrong: called-twice | Calls the sublayer once to check the shape of what it returns and a second time for the result. The contract says that it is called once (a second call draws dropout again, and writes to a cache twice).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        if sublayer(read).shape != x.shape:
            raise ValueError("the sublayer must keep the shape")
        total = x + self.dropout(sublayer(read))
        return total if self.norm_first else self.norm(total)

# %% right: two-private-ways
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def _pre(self, x, sublayer):
        return self.dropout(sublayer(self.norm(x))) + x
    def _post(self, x, sublayer):
        return self.norm(self.dropout(sublayer(x)) + x)
    def forward(self, x, sublayer):
        return (self._pre if self.norm_first else self._post)(x, sublayer)

# %% right: fairseq-way
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        residual = x
        if self.norm_first:
            x = self.norm(x)
        x = sublayer(x)
        x = F.dropout(x, p=self.p, training=self.training)
        x = residual + x
        if not self.norm_first:
            x = self.norm(x)
        return x
