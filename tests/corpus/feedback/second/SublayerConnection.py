# %% wrong: adds_what_was_read | TRUE CAUSE: the update is added to what the sublayer read instead of to x, so in pre-norm the residual carries the normed x
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = read + update
        return total if self.norm_first else self.norm(total)


# %% wrong: dropout_on_sum | TRUE CAUSE: dropout is applied to the sum, x included, instead of only to what the sublayer says
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = (nn.Identity(), self.norm)[int(self.norm_first)](x)
        update = sublayer(read)
        total = self.dropout(torch.add(x, update))
        return (self.norm, nn.Identity())[int(self.norm_first)](total)


# %% wrong: adds_in_place | TRUE CAUSE: x is added in place to what the sublayer returned, so where dropout does nothing the sublayer's own tensor is changed
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


# %% wrong: always_pre_and_dropping | TRUE CAUSE: two mistakes: norm_first is ignored and the order is always pre-norm, and F.dropout is called without training=self.training, so it drops in eval mode as well
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout

    def forward(self, x, sublayer):
        # as the Annotated Transformer does it
        return x + F.dropout(sublayer(self.norm(x)), self.p)


# %% wrong: self_forgotten | TRUE CAUSE: the last line asks norm_first without self., a name that does not exist in forward (NameError, crash)
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
        return total if norm_first else self.norm(total)
