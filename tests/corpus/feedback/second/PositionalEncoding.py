# %% wrong: batch_as_time | TRUE CAUSE: the length is read from axis 0, the batch, instead of axis 1, so the rows added do not belong to the positions
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding, persistent=False)

    def forward(self, x):
        length = x.size(0)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length].unsqueeze(1)  # (T, D), the same for the whole batch
        output = self.dropout(x + encoding)
        return output


# %% wrong: plain_attribute | TRUE CAUSE: the encoding is kept as a plain attribute instead of a buffer, so it does not follow the model to another device or dtype
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.encoding = encoding

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


# %% wrong: learned_and_dropped_early | TRUE CAUSE: two mistakes: the encoding is an nn.Parameter and would be trained, and dropout is applied to x before the positions are added instead of to the sum
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(p=dropout)
        self.max_len = max_len
        self.pe = nn.Parameter(sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        _, t, _ = x.shape
        if t > self.max_len:
            raise ValueError(f"{t} positions are more than max_len={self.max_len}")
        return self.drop(x) + self.pe[:t]


# %% wrong: adds_into_x | TRUE CAUSE: the encoding is added to x in place, so the caller's tensor is changed
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.shape[-2]
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding.narrow(0, 0, length).to(x.dtype)  # (T, D)
        output = self.dropout(x.add_(encoding))
        return output


# %% wrong: longest_only | TRUE CAUSE: the rows are cut once at the first call and kept, so a later, longer x no longer fits (crash) or is added too few rows
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.rows = None

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"got {length} positions, but max_len is {self.max_len}")
        if self.rows is None:
            self.rows = self.encoding[:length].to(x)
        return self.dropout(x + self.rows[:length])
