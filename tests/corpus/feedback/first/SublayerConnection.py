# %% wrong: pre_and_post_exchanged | TRUE CAUSE: the two conditions are the wrong way round: norm_first=True gives post-norm and norm_first=False gives pre-norm
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = x if self.norm_first else self.norm(x)
        update = self.dropout(sublayer(read))
        total = x + update
        return self.norm(total) if self.norm_first else total

# %% wrong: norm_first_ignored_and_no_dropout | TRUE CAUSE: two at once: norm_first is ignored, so it is always post-norm, and what the sublayer says does not go through dropout
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

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
        update = sublayer(read)
        total = x + update
        return self.norm(total)

# %% wrong: adds_what_was_read | TRUE CAUSE: the sum takes read instead of x, so in pre-norm the normalized x is added and the straight way is lost
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

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
        update = self.dropout(sublayer(read))
        total = read + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout_on_the_sum | TRUE CAUSE: dropout is applied to the sum instead of to what the sublayer says, so x itself goes through dropout too
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

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
        update = sublayer(read)
        total = self.dropout(x + update)
        return total if self.norm_first else self.norm(total)

# %% wrong: norm_without_self | TRUE CAUSE: norm is used without self., so a NameError is raised when norm_first is True
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: always_norm_at_the_end | TRUE CAUSE: the sum is normalized in pre-norm too, where it has to be left alone, so the result is normalized whatever norm_first says
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = [x, self.norm(x)][int(self.norm_first)]
        update = self.dropout(sublayer(read))
        total = torch.add(x, update)
        return self.norm(total)

# %% wrong: norm_inside_of_the_sum | TRUE CAUSE: in post-norm only what the sublayer says is normalized before it is added, instead of the sum
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = x if not self.norm_first else self.norm(x)
        update = self.dropout(sublayer(read))
        total = x.add(update if self.norm_first else self.norm(update))
        return total

# %% wrong: sublayer_called_twice | TRUE CAUSE: the sublayer is called a second time just to look at the shape of its result, but it must be called once
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

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
        update = self.dropout(sublayer(read).reshape(sublayer(read).shape))
        total = torch.stack([x, update]).sum(dim=0)
        return (lambda t: t)(total) if self.norm_first else self.norm.forward(total)

# %% wrong: sum_in_place_of_the_result | TRUE CAUSE: x is added to the sublayer's result with +=, and since dropout returns the very same tensor in eval mode, what the sublayer returned is changed in place
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            said = self.dropout(sublayer(self.norm(x)))
            said += x
            return said
        said = self.dropout(sublayer(x))
        said += x
        return self.norm(said)

# %% wrong: dropout_in_eval_too | TRUE CAUSE: F.dropout is called without training=self.training, so it drops numbers in eval mode as well
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        def said(read):
            return F.dropout(sublayer(read), self.p)

        if self.norm_first:
            return x + said(self.norm(x))
        return self.norm(x + said(x))

# %% wrong: default_dropout_rate | TRUE CAUSE: nn.Dropout is made without the argument dropout, so its own default of 0.5 is used and the argument is ignored
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm, self.dropout = LayerNorm(d_model), nn.Dropout()
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        same = lambda t: t
        before, after = (self.norm, same) if self.norm_first else (same, self.norm)
        return after(x + self.dropout(sublayer(before(x))))

# %% wrong: new_norm_in_every_call | TRUE CAUSE: a new LayerNorm is made in every forward call, so its gamma and beta are no parameters of the module and are never learned
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        norm = LayerNorm(self.d_model).to(device=x.device, dtype=x.dtype)
        if self.norm_first:
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))

# %% wrong: residual_detached_and_raw_reading | TRUE CAUSE: two at once: x is detached before it is added, so no gradient takes the straight way, and in pre-norm the sublayer reads x itself instead of the norm of x
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        residual = x.clone().detach()
        out = residual + self.dropout(sublayer(x))
        if not self.norm_first:
            out = self.norm(out)
        return out
