# %% wrong: plain_attribute | TRUE CAUSE: the encoding is a plain attribute, not a buffer, so it does not follow the model to another device or dtype
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.encoding = encoding  # blank: buffer

    def forward(self, x):
        length = x.size(1)  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch; blank: rows
        output = self.dropout(x + encoding)  # blank: sum
        return output


# %% wrong: learned_encoding | TRUE CAUSE: the encoding is an nn.Parameter, so it is trained; it should be a buffer
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.encoding = nn.Parameter(encoding)  # blank: buffer

    def forward(self, x):
        length = x.size(1)  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch; blank: rows
        output = self.dropout(x + encoding)  # blank: sum
        return output


# %% wrong: dropout_on_the_positions_only | TRUE CAUSE: dropout is applied to the encoding alone, not to the sum
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding, persistent=False)  # blank: buffer

    def forward(self, x):
        length = x.size(1)  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch; blank: rows
        output = x + self.dropout(encoding)  # blank: sum
        return output


# %% wrong: dropout_forgotten | TRUE CAUSE: the dropout module is never used
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding, persistent=False)  # blank: buffer

    def forward(self, x):
        length = x.size(1)  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch; blank: rows
        output = x + encoding  # blank: sum
        return output


# %% wrong: one_row_for_all | TRUE CAUSE: encoding[length] picks a single row instead of the first `length` rows, so each word gets the same (and at max_len there is no such row)
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding, persistent=False)  # blank: buffer

    def forward(self, x):
        length = x.size(1)  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[length]  # (T, D), the same for the whole batch; blank: rows
        output = self.dropout(x + encoding)  # blank: sum
        return output


# %% wrong: time_first | TRUE CAUSE: x is taken for (T, N, D): the length is its axis 0, and each sentence, not each word, gets a row of its own
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(1))

    def forward(self, x):
        if x.size(0) > self.max_len:
            raise ValueError(f"got {x.size(0)} positions, but max_len is {self.max_len}")
        return self.dropout(x + self.pe[: x.size(0)])


# %% wrong: refuses_max_len_itself | TRUE CAUSE: >= instead of >: a sentence of exactly max_len words is refused
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        batch, length, d_model = x.shape
        if length >= self.max_len:
            raise ValueError(f"{length} positions are too many for max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])


# %% wrong: added_in_place | TRUE CAUSE: x += adds the positions to the caller's tensor in place (the returned numbers are right)
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding, persistent=False)  # blank: buffer

    def forward(self, x):
        length = x.size(1)  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch; blank: rows
        output = self.dropout(x.add_(encoding))  # blank: sum
        return output


# %% wrong: scaled_and_last_rows | TRUE CAUSE: two mistakes: x is multiplied by the root of d_model, which TokenEmbedding has done already, and the rows are the last ones of the table (-length:) instead of the first
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.scale = math.sqrt(d_model)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, at most {self.max_len}")
        return self.dropout(x * self.scale + self.encoding[-length:])
