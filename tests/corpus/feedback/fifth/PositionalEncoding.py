# %% wrong: frozen_parameter_for_a_buffer | TRUE CAUSE: the encoding is an nn.Parameter with requires_grad=False instead of a buffer: it is not trained, but it is counted and listed as a parameter of the model
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.encoding = nn.Parameter(encoding, requires_grad=False)  # blank: buffer

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

# %% wrong: one_row_for_all | TRUE CAUSE: the colon is missing: encoding[length] is one single row, which broadcasts, so all positions get the same vector added (and there is no such row at max_len)
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

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

# %% wrong: scales_words_again_and_drops_them_alone | TRUE CAUSE: two mistakes: x is multiplied by the root of d_model once more, which TokenEmbedding does already, and dropout goes over x alone, before the encoding is added, instead of over the sum
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = self.dropout(x * math.sqrt(self.d_model))
        return x + self.encoding[:length]

# %% wrong: refuses_exactly_max_len | TRUE CAUSE: the comparison is >= instead of >, so a sentence of exactly max_len tokens is refused, though there is a row for each of them
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        batch, length, d_model = x.shape
        if length >= self.max_len:
            raise ValueError(f"{length} positions are too many, max_len is {self.max_len}")
        return self.dropout(x + self.pe[:, :length])
