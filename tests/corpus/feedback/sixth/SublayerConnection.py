# %% wrong: sublayer_reads_x | TRUE CAUSE: the sublayer is called with x instead of with what it is to read, so in pre-norm there is no norm at all
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
        update = self.dropout(sublayer(x))
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)  # blank: result


# %% wrong: residual_from_normed_x | TRUE CAUSE: in pre-norm x itself is replaced by its norm, so the sum is of the normalized x and the update; the way straight through is normalized too
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            x = self.norm(x)
            return x + self.dropout(sublayer(x))
        return self.norm(x + self.dropout(sublayer(x)))


# %% wrong: sum_in_place_of_the_update | TRUE CAUSE: the sum is made with +=, which changes in place the tensor that the sublayer returned (in eval mode dropout hands on that very tensor)
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
        read = self.norm(x) if self.norm_first else x
        total = self.dropout(sublayer(read))
        total += x
        if self.norm_first:
            return total
        return self.norm(total)
