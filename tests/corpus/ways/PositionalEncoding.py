# %% right: buffer_with_batch_axis
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.max_len = max_len
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model)[None], persistent=False)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x):
        if x.shape[1] > self.max_len:
            raise ValueError(f"{x.shape[1]} positions, but max_len={self.max_len}")
        return self.dropout(torch.add(x, self.table.narrow(1, 0, x.shape[1])))


# %% right: rows_looked_up
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
        length = x.shape[-2]  # blank: time_axis
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = F.embedding(torch.arange(length, device=x.device), self.encoding)  # (T, D), the same for the whole batch; blank: rows
        output = F.dropout(encoding + x, self.dropout.p, self.training)  # blank: sum
        return output


# %% right: own_batch_axis_in_the_buffer
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model)[None], persistent=False)

    def forward(self, x):
        T, longest = x.shape[1], self.pe.shape[1]
        if longest < T:
            raise ValueError(f"x has {T} positions, at most {longest} are possible")
        return F.dropout(x + self.pe.narrow(1, 0, T), p=self.p, training=self.training)

# %% right: own_lookup_of_position_ids
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.register_buffer("waves", sinusoidal_encoding(max_len, d_model))

    def forward(self, words):
        n, t, _ = words.shape
        if t not in range(len(self.waves) + 1):
            raise ValueError(f"{t} positions are more than max_len={len(self.waves)}")
        ids = torch.arange(t, device=words.device).repeat(n, 1)
        return self.drop(torch.add(words, F.embedding(ids, self.waves)))
