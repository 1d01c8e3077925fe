# %% wrong: norm_of_the_update_only | TRUE CAUSE: in post-norm the last blank normalizes only the sublayer's update and then adds x, instead of normalizing the whole sum x + update, so x passes unnormalized
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
# %% wrong: dropout_twice | TRUE CAUSE: dropout is applied in the update line and once more in the total line, so in train mode a number becomes 0 with probability 1 - (1 - p)^2 and the others are scaled twice, while eval mode is right
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
        total = x + self.dropout(update)
        if self.norm_first:
            return total
        return self.norm(total)
# %% wrong: own_sum_in_place | TRUE CAUSE: the sum is made with += on the dropout's result, which in eval mode (or with dropout 0) is the very tensor that the sublayer returned, so that tensor (and x, where the sublayer returns its input in post-norm) is changed in place
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.ln = LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        h = self.ln(x) if self.norm_first else x
        h = self.drop(sublayer(h))
        h += x
        return h if self.norm_first else self.ln(h)
# %% wrong: own_mask_per_position | TRUE CAUSE: the dropout mask is drawn with one number per position (from out[..., :1], a last axis of 1) instead of one per feature, so in train mode whole positions of the sublayer's output are dropped together instead of each number by itself
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.pre = norm_first

    def drop(self, out):
        mask = torch.ones_like(out[..., :1])
        return out * F.dropout(mask, self.p, self.training)

    def forward(self, x, sublayer):
        if self.pre:
            return x + self.drop(sublayer(self.norm(x)))
        return self.norm(x + self.drop(sublayer(x)))
