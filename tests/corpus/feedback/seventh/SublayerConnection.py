# %% wrong: normed_x_in_the_sum | TRUE CAUSE: the update is added to what the sublayer read and not to x, so in pre-norm the straight way through carries the norm of x (post-norm is right)
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
        return self.norm(total)  # blank: result


# %% wrong: dropout_before_the_sublayer | TRUE CAUSE: dropout is put on what the sublayer reads instead of on what it returns
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
        return self.norm(total)  # blank: result


# %% wrong: post_norm_inside_the_sum | TRUE CAUSE: post-norm was understood as a norm after the sublayer, not after the sum: the sublayer's output is normalized and then added, and the sum itself is never normalized
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            update = sublayer(self.norm(x))  # norm, then the sublayer
        else:
            update = self.norm(sublayer(x))  # the sublayer, then norm
        return x + self.dropout(update)
