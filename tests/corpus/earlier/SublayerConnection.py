# %% wrong: dropout_after_the_norm | dropout is applied to the normalized sum in post-norm (and never in pre-norm) instead of to what the sublayer returned, so x itself goes through dropout in one way and nothing does in the other
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
        total = x + update
        if self.norm_first:
            return total
        return self.dropout(self.norm(total))

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
