# %% wrong: dropout_on_the_encoding_only | TRUE CAUSE: dropout is applied to the encoding alone before it is added, not to the sum, so in training the numbers of x are never dropped or rescaled
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding, persistent=False)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch
        output = x + self.dropout(encoding)
        return output

# %% wrong: adds_into_x | TRUE CAUSE: x.add_(encoding) adds in place, so the caller's tensor x is changed by the call (and a leaf that requires a gradient raises)
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length, :]  # (T, D), the same for the whole batch
        output = self.dropout(x.add_(encoding))
        return output

# %% wrong: own_dropout_that_never_rests | TRUE CAUSE: F.dropout is called without training=self.training, whose default is True, so numbers are dropped at random after .eval() too
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.register_buffer("waves", sinusoidal_encoding(max_len, d_model)[None])

    def forward(self, x):
        _, steps, _ = x.shape
        available = self.waves.size(1)
        if steps > available:
            raise ValueError(f"{steps} positions are too many, there are {available}")
        return F.dropout(x + self.waves[:, :steps], self.p)

# %% wrong: own_rows_repeated_in_the_wrong_order | TRUE CAUSE: repeat_interleave repeats each row N times in a row before the view to (N, T, D), instead of repeating the whole block of T rows, so with N > 1 tokens get rows of other positions (token t of sentence n gets row (n*T + t) // N)
class PositionalEncoding(nn.Module):
    """Gives each sentence of the batch its own copy of the first T rows, and adds it."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(p=dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model), persistent=False)

    def check_length(self, steps):
        limit = len(self.pe)
        if steps > limit:
            raise ValueError(f"got {steps} positions, max_len is {limit}")

    def forward(self, x):
        batch, steps, width = x.shape
        self.check_length(steps)
        copies = self.pe[:steps].repeat_interleave(batch, dim=0)
        return self.drop(x + copies.view(batch, steps, width))
