# %% wrong: adds-to-what-was-read | Adds the update to what the sublayer read instead of to x: in pre-norm that is the norm of x, so x as it was passed in is lost and the straight way goes through a norm.
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
        total = read + update
        if self.norm_first:
            return total
        return self.norm(total)

# %% wrong: norm-of-the-update | In post-norm, normalizes what the sublayer returned and then adds it to x (as Swin v2's res-post-norm does); the paper's post-norm is the norm of the sum.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        def before(y):
            return self.norm(y) if self.norm_first else y
        def after(y):
            return y if self.norm_first else self.norm(y)
        shortcut = x
        return shortcut + after(self.dropout(sublayer(before(x))))

# %% wrong: pytorch-flag-turned | Has the two orders under the wrong values of norm_first: with norm_first=True it normalizes the sum (post-norm), and by default it normalizes what the sublayer reads (pre-norm).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def _block(self, x, sublayer):
        return self.dropout(sublayer(x))
    def forward(self, x, sublayer):
        if self.norm_first:
            x = self.norm(x + self._block(x, sublayer))
        else:
            x = x + self._block(self.norm(x), sublayer)
        return x

# %% wrong: annotated-always-pre-norm | Copies the Annotated Transformer's line, which normalizes first, and takes it for the paper's order; norm_first is kept but never asked, so the default is pre-norm instead of the norm of the sum.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))

# %% wrong: functional-dropout-in-eval | Uses F.dropout without training=self.training: its default is training=True, so it also drops in eval mode, where no number may change.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        result = torch.add(x, F.dropout(sublayer(read), self.dropout.p))
        return result if self.norm_first else self.norm(result)

# %% wrong: adds-into-the-update | Adds x into the dropout's result in place (+=): in eval mode, or with a dropout of 0, nn.Dropout returns the very tensor that the sublayer returned, so that is overwritten (and x itself, if the sublayer returns its input); the text forbids both.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            out = self.dropout(sublayer(self.norm(x)))
            out += x
            return out
        out = self.dropout(sublayer(x))
        out += x
        return self.norm(out)

# %% right: identity-on-the-other-side
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        same = nn.Identity()
        before, after = (self.norm, same) if self.norm_first else (same, self.norm)
        return after(torch.add(x, self.dropout(sublayer(before(x)))))
