# %% wrong: dropout_on_x_alone | TRUE CAUSE: dropout is applied to x before the encoding is added, instead of to the sum of the two
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
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch; blank: rows
        output = self.dropout(x) + encoding  # blank: sum
        return output


# %% wrong: time_first_code | TRUE CAUSE: the code is that for (T, N, D): the length is read from axis 0 and the encoding gets an axis 1 for the batch, so each sentence of the batch gets one position's row for all of its words
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(1)  # (max_len, 1, D)
        self.register_buffer("pe", pe, persistent=False)

    def forward(self, x):
        length = x.size(0)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.pe[:length])


# %% wrong: plain_attribute_and_in_place_sum | TRUE CAUSE: two mistakes: the encoding is a plain attribute instead of a buffer, so it does not follow the model to another device or dtype; and x += encoding changes the caller's x in place
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
        x += encoding
        output = self.dropout(x)  # blank: sum
        return output
