# %% wrong: sum_with_what_was_read | TRUE CAUSE: what the sublayer read is added to its output instead of x, so in pre-norm the way straight through goes through the norm
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


# %% wrong: sublayer_gets_x | TRUE CAUSE: the sublayer is called with x instead of `read`, so in pre-norm there is no norm at all
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


# %% wrong: dropout_on_the_sum | TRUE CAUSE: dropout is applied to the sum, so x itself goes through it, instead of to the sublayer's output alone
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


# %% wrong: no_dropout | TRUE CAUSE: the dropout module is never used
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
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)  # blank: result


# %% wrong: norm_of_the_update_alone | TRUE CAUSE: in post-norm only the update is normalized and x is added afterwards, instead of the sum being normalized
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
        return x + self.norm(update)  # blank: result


# %% wrong: no_residual | TRUE CAUSE: x is not added: what the sublayer returns takes its place
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
        total = update
        if self.norm_first:
            return total
        return self.norm(total)  # blank: result


# %% wrong: turned_round | TRUE CAUSE: pre-norm and post-norm are exchanged: with norm_first the sum is normalized, without it the sublayer's input
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


# %% wrong: adds_in_place | TRUE CAUSE: x += changes the caller's tensor in place (the returned numbers are right)
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
        x += self.dropout(sublayer(read))
        return x if self.norm_first else self.norm(x)


# %% wrong: pre_norm_normalizes_twice | TRUE CAUSE: two mistakes: in pre-norm the sum is normalized as well (the early return is gone), and dropout acts on what the sublayer reads instead of on what it returns
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
        read = x
        if self.norm_first:
            read = self.norm(x)
        update = sublayer(self.dropout(read))
        return self.norm(x + update)
