# %% wrong: always-pre-norm | Normalizes what the sublayer reads in every case, as the Annotated Transformer does "for code simplicity", and never looks at norm_first: with norm_first=False the sum has to be normalized (post-norm), and the sublayer reads x itself.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))

# %% wrong: residual-from-the-norm | In pre-norm x is overwritten by its norm before the sum, so the normalized x is added where x as it was passed in has to be added: the way straight through is normalized, too.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            x = self.norm(x)
        update = self.dropout(sublayer(x))
        total = x + update
        if not self.norm_first:
            total = self.norm(total)
        return total

# %% wrong: dropout-on-the-sum | Dropout acts on the sum x + sublayer(x), where it has to act on the sublayer's output alone, before the sum; so x itself goes through dropout, and the way straight through is damaged.
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
        update = sublayer(read)
        total = self.dropout(x + update)
        if self.norm_first:
            return total
        return self.norm(total)

# %% wrong: functional-dropout | Calls F.dropout without its argument training, which is True if nothing is said, so numbers are dropped in eval mode as well; nn.Dropout (or training=self.training) drops in train mode alone.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.p = dropout
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        residual = x
        x = self.norm(x) if self.norm_first else x
        x = residual + F.dropout(sublayer(x), self.p)
        return x if self.norm_first else self.norm(x)

# %% wrong: update-normalized | In post-norm the norm is around the sublayer's output alone, x + norm(sublayer(x)), where it has to be around the whole sum, norm(x + sublayer(x)): x is added unnormalized.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            change = sublayer(self.norm(x))
        else:
            change = self.norm(sublayer(x))
        return x + self.dropout(change)

# %% wrong: both-ways-computed | Computes pre-norm and post-norm both and then chooses one, so the sublayer is called twice in each call, where the text says once (a sublayer that keeps something, draws dropout or counts is used twice).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        ways = {
            True: x + self.dropout(sublayer(self.norm(x))),
            False: self.norm(x + self.dropout(sublayer(x))),
        }
        return ways[bool(self.norm_first)]

# %% right: fairseq-residual
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        residual = x
        if self.norm_first:
            x = self.norm(x)
        x = self.dropout(sublayer(x))
        x = residual + x
        if not self.norm_first:
            x = self.norm(x)
        return x

# %% right: two-identities
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.drop_rate = dropout
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        def as_it_is(vectors):
            return vectors
        before, after = (self.norm, as_it_is) if self.norm_first else (as_it_is, self.norm)
        update = F.dropout(sublayer(before(x)), self.drop_rate, self.training)
        return after(torch.add(x, update))
