# %% wrong: time_first | TRUE CAUSE: written for (T, N, D): the length is x.size(0) and the rows get an axis at place 1, so each sentence gets the encoding of its number in the batch at all its positions
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model).unsqueeze(1)  # (max_len, 1, D)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(0)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.encoding[:length])

# %% wrong: encoding_is_a_parameter | TRUE CAUSE: the encoding is kept as an nn.Parameter, so it is trained, although it should be a buffer that is never learned
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

# %% wrong: plain_attribute | TRUE CAUSE: the encoding is a plain attribute of the module and not a buffer, so it does not follow the model to another device
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
        length = x.shape[1]  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length, :]  # (T, D), the same for the whole batch; blank: rows
        output = self.dropout(x + encoding)  # blank: sum
        return output

# %% wrong: dropout_on_positions_only | TRUE CAUSE: dropout is applied to the encoding before it is added, not to the sum of embedding and encoding
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

# %% wrong: one_row_for_all | TRUE CAUSE: the colon is missing: encoding[length] is the single row of position T, which is added to every position (and does not exist when T is max_len)
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding)  # blank: buffer

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

# %% wrong: adds_in_place | TRUE CAUSE: x += changes the caller's tensor in place: after the call the embeddings that were passed in have positions in them
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len is {self.max_len}")
        x += self.encoding[:length]
        return self.dropout(x)

# %% wrong: functional_dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training, so it drops features in eval mode, too
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = dropout
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        batch, length, features = x.shape
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return F.dropout(x + self.encoding[:length], self.dropout)

# %% wrong: positions_scaled_too | TRUE CAUSE: multiplies the sum of x and encoding by the root of d_model, although the tokens are scaled before in TokenEmbedding and nothing scales the positions
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        output = (x + self.encoding[:, :length]) * math.sqrt(self.d_model)
        return self.dropout(output)

# %% wrong: refuses_max_len_and_no_dropout | TRUE CAUSE: two mistakes: >= refuses an x of exactly max_len positions, and dropout is never applied
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length >= self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = x + encoding
        return output
