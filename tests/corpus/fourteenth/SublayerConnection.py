# %% wrong: adds_the_normed_x | The sum adds `read` instead of x: in pre-norm the residual is then the normalized x, so the straight way is not left alone. (Post-norm is right, since read is x there.)
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
# %% wrong: dropout_before_the_sublayer | Dropout is applied to what the sublayer reads instead of what it returns: the output of the sublayer is never dropped.
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
        update = sublayer(self.dropout(read))
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)
# %% wrong: own_sum_into_the_sublayers_output | `update += x` adds in place: in eval mode (or with dropout 0) dropout hands on the sublayer's own tensor, so what the sublayer returned is overwritten (and x itself if the sublayer returns its input).
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, sublayer):
        update = self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        update += x
        return update if self.norm_first else self.norm(update)
# %% wrong: own_post_norm_normalizes_the_update | In post-norm the norm is put around the sublayer's output alone and x is added afterwards, instead of around the sum x + update: the result is not normalized.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
    def pre(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))
    def post(self, x, sublayer):
        return x + self.norm(self.dropout(sublayer(x)))
    def forward(self, x, sublayer):
        way = self.pre if self.norm_first else self.post
        return way(x, sublayer)
