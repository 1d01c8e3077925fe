# %% wrong: always-pre-norm | Copied from The Annotated Transformer, which always normalizes what the sublayer reads: norm_first is ignored, so the default, post-norm (the norm of the sum), is never computed.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))

# %% wrong: residual-of-the-normed | In pre-norm x itself is replaced by the norm of x, so the sum is of the normalized x and the update; the straight way has to carry x as it was passed in.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            x = self.norm(x)
        out = x + self.dropout(sublayer(x))
        return out if self.norm_first else self.norm(out)

# %% wrong: dropout-on-the-sum | Dropout is applied to the sum of x and the update instead of to the update alone, so x itself goes through dropout and the way straight through is damaged in training.
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

# %% wrong: x-plus-equals | The sum is written as x += ..., which changes the caller's tensor in place (and fails for a leaf that needs a gradient); a new tensor has to be made, x = x + ...
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        if self.norm_first:
            hidden_states = self.dropout(sublayer(self.norm(x)))
            x += hidden_states
            return x
        hidden_states = self.dropout(sublayer(x))
        x += hidden_states
        return self.norm(x)

# %% wrong: tries-the-sublayer-first | The sublayer is called once to look at the shape and a second time for the result: it is to be called once (a second call costs twice the time, draws other dropout, and changes what a sublayer counts or stores).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        if sublayer(read).shape != x.shape:
            raise ValueError("the sublayer has to return a tensor of the shape of x")
        total = x + self.dropout(sublayer(read))
        if not self.norm_first:
            total = self.norm(total)
        return total

# %% wrong: norm-inside-the-sum | In post-norm the norm is put around the update alone and x is added afterwards (as in Swin V2's res-post-norm): x + norm(update) instead of norm(x + update), so the sum is never normalized.
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

# %% wrong: dropout-drawn-once | The pattern of dropout is drawn in the first training call and kept in the module: every later call of the same shape drops the same numbers, where it is to be drawn again in each call.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
        self.noise = None
    def drop(self, update):
        if not self.training:
            return update
        if self.noise is None or self.noise.shape != update.shape:
            self.noise = self.dropout(torch.ones_like(update)).detach()
        return update * self.noise
    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.drop(sublayer(self.norm(x)))
        return self.norm(x + self.drop(sublayer(x)))

# %% wrong: pre-norm-by-default-and-half-dropped | Two mistakes. The default of norm_first is True, so SublayerConnection(d_model) is pre-norm instead of the paper's post-norm; and nn.Dropout() ignores the argument dropout and always drops with probability 0.5.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=True):
        super().__init__()
        self.norm = nn.LayerNorm([d_model])
        self.dropout = nn.Dropout()
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        z = self.norm(x) if self.norm_first else x
        x = x + self.dropout(sublayer(z))
        return x if self.norm_first else self.norm(x)

# %% right: pytorch-manner
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def _block(self, x, sublayer):
        return self.dropout(sublayer(x))
    def forward(self, x, sublayer):
        if self.norm_first:
            x = x + self._block(self.norm(x), sublayer)
        else:
            x = self.norm(x + self._block(x, sublayer))
        return x

# %% right: before-and-after
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        def same(y):
            return y
        before, after = (self.norm, same) if self.norm_first else (same, self.norm)
        update = F.dropout(sublayer(before(x)), p=self.p, training=self.training)
        return after(torch.add(x, update))
