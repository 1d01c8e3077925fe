# %% wrong: dropout_on_the_positions_alone | TRUE CAUSE: dropout is applied to the encoding before it is added, and not to the sum, so in train mode no number of x is ever dropped
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
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch
        output = x + self.dropout(encoding)
        return output

# %% wrong: scaled_a_second_time | TRUE CAUSE: the sum multiplies x by the root of d_model once more, which is the task of TokenEmbedding; here x is to be added as it is
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
        output = self.dropout(x * math.sqrt(x.size(-1)) + encoding)
        return output

# %% wrong: own_grows_when_too_long | TRUE CAUSE: where x is longer than max_len the buffer is computed anew for the longer length, so no ValueError is raised
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model)[None], persistent=False)

    def forward(self, x):
        _, steps, features = x.shape
        if steps > self.pe.shape[1]:
            self.pe = sinusoidal_encoding(steps, features)[None].to(x.device)
        return self.drop(x + self.pe[:, :steps])

# %% wrong: own_positions_run_on_through_the_batch | TRUE CAUSE: the batch is flattened to N * T words that get the rows 0 to N * T - 1, so the positions do not start again at 0 in the second sentence (and a batch of more than max_len words raises)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        max_len = len(self.encoding)
        if x.shape[1] > max_len:
            raise ValueError(f"{x.shape[1]} positions are more than max_len={max_len}")
        words = x.reshape(-1, x.shape[-1])
        words = words + self.encoding[: len(words)]
        return self.dropout(words).reshape(x.shape)
