# %% wrong: adds_in_place | TRUE CAUSE: update += x writes into the tensor that the sublayer returned (in eval mode dropout hands over the very same tensor): what the sublayer returned is changed in place
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        update += x
        return update if self.norm_first else self.norm(update)

# %% wrong: norm_of_the_update_alone | TRUE CAUSE: in post-norm the norm is around what the sublayer returned and not around the sum: x + norm(update) instead of norm(x + update)
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize."""

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

# %% wrong: functional_dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training, whose default is True: numbers are dropped in eval mode, too
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            read = self.norm(x)
        else:
            read = x
        update = F.dropout(sublayer(read), p=self.dropout)
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)

# %% wrong: ways_mixed_up_and_dropout_on_the_sum | TRUE CAUSE: two mistakes: norm_first does post-norm and its absence pre-norm (the branches are swapped), and dropout goes over the sum, x included, instead of over what the sublayer returned
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return self.norm(self.dropout(x + sublayer(x)))
        return self.dropout(x + sublayer(self.norm(x)))
