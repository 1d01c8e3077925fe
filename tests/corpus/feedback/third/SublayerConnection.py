# %% wrong: sum_with_the_normed_x | TRUE CAUSE: the sum is of read and the update: in pre-norm the normalized x is added where x itself belongs, so the straight way goes through the norm.
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

# %% wrong: sublayer_reads_x | TRUE CAUSE: the sublayer is called with x instead of read, so in pre-norm nothing is normalized at all.
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

# %% wrong: norm_without_the_residual | TRUE CAUSE: in post-norm the norm is taken of the update instead of the sum, so x does not get through.
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
        return self.norm(update)  # blank: result

# %% wrong: sublayer_called_in_read | TRUE CAUSE: the sublayer is called in the blank read, so in post-norm, where read is x, it is never called: the update is dropout of x.
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
            read = sublayer(self.norm(x))
        else:
            read = x
        update = self.dropout(read)
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)  # blank: result

# %% wrong: dropout_on_the_sum | TRUE CAUSE: dropout is applied to the sum instead of to what the sublayer returned, so x itself goes through dropout.
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
        update = sublayer(read)
        total = self.dropout(x + update)
        if self.norm_first:
            return total
        return self.norm(total)  # blank: result

# %% wrong: the_two_ways_swapped | TRUE CAUSE: norm_first is understood the wrong way round: the default normalizes what the sublayer reads and norm_first=True normalizes the sum.
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
            return self.norm(x + self.dropout(sublayer(x)))
        return x + self.dropout(sublayer(self.norm(x)))

# %% wrong: x_changed_in_place | TRUE CAUSE: the update is added with +=, which changes the caller's x in place.
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
            x += self.dropout(sublayer(self.norm(x)))
            return x
        x += self.dropout(sublayer(x))
        return self.norm(x)

# %% wrong: norm_of_the_output_then_sum | TRUE CAUSE: post-norm normalizes what the sublayer returned and then adds x: the norm is inside the sum instead of around it.
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
            return x + self.dropout(sublayer(self.norm(x)))
        return x + self.norm(self.dropout(sublayer(x)))

# %% wrong: dropout_rate_not_passed_on | TRUE CAUSE: nn.Dropout() is made without the given rate, so it always drops half.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.norm_first = norm_first
        self.dropout = nn.Dropout()

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        total = x + self.dropout(sublayer(read))
        return total if self.norm_first else self.norm(total)

# %% wrong: two_dropout_before_and_norm_twice | TRUE CAUSE: two mistakes: dropout is applied to what the sublayer reads instead of to what it returns, and in pre-norm the sum is normalized as well.
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = x
        if self.norm_first:
            read = self.norm(read)
        total = x + sublayer(self.dropout(read))
        return self.norm(total)
