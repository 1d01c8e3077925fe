# %% wrong: dropout_on_what_the_sublayer_reads | TRUE CAUSE: update is sublayer(self.dropout(read)), so dropout acts on the sublayer's input instead of on what it returns, and in train mode the sublayer reads a damaged tensor while its output is added whole
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
        if self.norm_first:
            read = self.norm(x)
        else:
            read = x
        update = sublayer(self.dropout(read))
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)

# %% wrong: post_norm_of_the_update_only | TRUE CAUSE: in post-norm the result is x + norm(update), so the norm is put around what the sublayer returned instead of around the sum, and x stays unnormalized
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
        if self.norm_first:
            read = self.norm(x)
        else:
            read = x
        update = self.dropout(sublayer(read))
        total = x + update
        if self.norm_first:
            return total
        return x + self.norm(update)

# %% wrong: own_keeps_with_the_drop_probability | TRUE CAUSE: the dropout mask is drawn with torch.bernoulli(p), which is 1 with probability p, and used as the mask of what is kept, so in train mode numbers are dropped with probability 1 - p (0.9 for the usual 0.1)
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.p = dropout
        self.norm = LayerNorm(d_model)
        self.norm_first = norm_first

    def drop(self, t):
        if not self.training:
            return t
        mask = torch.bernoulli(torch.full_like(t, self.p))
        return t * mask / (1 - self.p)

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.drop(sublayer(self.norm(x)))
        return self.norm(x + self.drop(sublayer(x)))

# %% wrong: own_adds_into_the_output | TRUE CAUSE: out += x adds in place; in eval mode (or with dropout 0) nn.Dropout gives back the very tensor that the sublayer returned, so that tensor is changed, and x too if the sublayer returns its input
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)
        self.pre = norm_first

    def forward(self, x, sublayer):
        inp = self.norm(x) if self.pre else x
        out = self.drop(sublayer(inp))
        out += x
        return out if self.pre else self.norm(out)
