# %% wrong: encoding_as_a_parameter | TRUE CAUSE: the encoding is stored as an nn.Parameter instead of a buffer, so it is counted among the parameters and the optimizer changes it
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.encoding = nn.Parameter(encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch
        output = self.dropout(x + encoding)
        return output
# %% wrong: dropout_on_the_embeddings_only | TRUE CAUSE: dropout is applied to x before the encoding is added instead of to the sum, so in train mode a dropped number becomes the encoding's value and not 0, and the encoding is never scaled
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
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length, :]  # (T, D), the same for the whole batch
        output = self.dropout(x) + encoding
        return output
# %% wrong: own_added_into_x | TRUE CAUSE: `x += ...` writes the sum into the caller's tensor, so x itself is changed in place (and a leaf that needs a gradient raises)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        T, limit = x.shape[1], self.pe.shape[1]
        if T > limit:
            raise ValueError(f"{T} positions, but only {limit} rows")
        x += self.pe[:, :T]
        return F.dropout(x, self.p, self.training)
# %% wrong: own_assert_for_the_length | TRUE CAUSE: the length is checked by assert, so a sentence that is too long raises AssertionError instead of the ValueError that is asked for
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(p=dropout)
        self.max_len = max_len
        self.register_buffer("waves", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        n, t, d = x.shape
        assert t <= self.max_len, f"got {t} positions, but max_len is {self.max_len}"
        return self.drop(x + self.waves.narrow(0, 0, t).expand(n, t, d))
