# %% wrong: sum_with_what_was_read | TRUE CAUSE: the update is added to what the sublayer read, which in pre-norm is the normalized x, instead of to x as it was passed in; the straight way goes through the norm (post-norm is not affected).
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


# %% wrong: norm_first_means_before_the_add | TRUE CAUSE: norm_first is understood as "normalize before the add": in pre-norm the sublayer's output is normalized and the sublayer reads the raw x, where the norm should be on what the sublayer reads.
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        update = self.dropout(sublayer(x))
        if self.norm_first:
            return x + self.norm(update)
        return self.norm(x + update)


# %% wrong: added_in_place_to_the_update | TRUE CAUSE: the sum is written in place into the update; in eval mode dropout returns its input itself, so the tensor that the sublayer returned (and x, if the sublayer returns its input) is changed.
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
        update += x
        total = update
        if self.norm_first:
            return total
        return self.norm(total)  # blank: result
