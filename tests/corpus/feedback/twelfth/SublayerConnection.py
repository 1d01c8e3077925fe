# %% wrong: sum_with_the_normed_x | TRUE CAUSE: the total adds the update to read and not to x, so in pre-norm the residual carries the normalized x in place of x as it was passed in (post-norm is right)
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
        total = read + update
        if self.norm_first:
            return total
        return self.norm(total)

# %% wrong: total_added_into_the_update | TRUE CAUSE: the total is update.add_(x), in place; in eval mode nn.Dropout hands back the very tensor that the sublayer returned, so what the sublayer returned is overwritten by the sum
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
        total = update.add_(x)
        if self.norm_first:
            return total
        return self.norm(total)

# %% wrong: own_functional_dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training, and its default is training=True, so numbers are dropped in eval mode, too
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.p = dropout
        self.pre = norm_first
        self.norm = LayerNorm(d_model)

    def forward(self, x, sublayer):
        before, after = (self.norm, nn.Identity()) if self.pre else (nn.Identity(), self.norm)
        return after(x + F.dropout(sublayer(before(x)), self.p))

# %% wrong: own_mask_for_whole_positions | TRUE CAUSE: the hand-made dropout draws one number for each position (delta[..., :1]) and not one for each number, so all features of a position are dropped or kept together
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.rate = dropout
        self.norm_first = norm_first

    def drop(self, delta):
        if not self.training or self.rate == 0:
            return delta
        keep = torch.rand_like(delta[..., :1]) >= self.rate
        return delta * keep / (1 - self.rate)

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.drop(sublayer(self.norm(x)))
        return self.norm(x + self.drop(sublayer(x)))
