# %% wrong: local_name_instead_of_the_buffer | TRUE CAUSE: forward slices the local name encoding, which exists only in __init__ (and is being assigned in this very line), instead of the buffer self.encoding
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
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = encoding[:length]  # (T, D), the same for the whole batch
        output = self.dropout(x + encoding)
        return output


# %% wrong: time_first_as_in_published_code | TRUE CAUSE: written for tensors (T, N, D): length and rows are counted along axis 0, the batch, so every word of a sentence gets the same row, that of the sentence's number in the batch
class PositionalEncoding(nn.Module):

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(1)  # (max_len, 1, D)
        self.register_buffer("pe", pe)

    def forward(self, x):
        length = x.size(0)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = x + self.pe[:length]
        return self.dropout(x)


# %% wrong: added_in_place | TRUE CAUSE: x += ... adds the encoding in place, so the tensor that the caller passed in is changed too
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

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
        x += self.encoding[:length]
        return self.dropout(x)
