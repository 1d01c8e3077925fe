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


# %% right: tenth_own_buffer_with_batch_axis
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model)[None])  # (1, max_len, D)
        self.drop = nn.Dropout(p=dropout)

    def forward(self, x):
        steps, available = x.shape[1], self.pe.shape[1]
        if steps <= available:
            return self.drop(x + self.pe[:, :steps])
        raise ValueError(f"too long: {steps} positions, max_len={available}")
# %% right: tenth_own_functional_dropout_and_narrow
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.rate, self.max_len = dropout, max_len
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def rows_for(self, count):
        if count > self.max_len:
            raise ValueError(f"PositionalEncoding: {count} > {self.max_len}")
        return torch.narrow(self.table, 0, 0, count)

    def forward(self, x):
        _, T, _ = x.shape
        return F.dropout(torch.add(x, self.rows_for(T)), self.rate, self.training)


# %% right: eleventh_own_batched_buffer_functional_dropout
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        _, steps, _ = x.shape
        limit = self.pe.size(1)
        if steps > limit:
            raise ValueError(f"x has {steps} positions, but max_len is {limit}")
        return F.dropout(x + self.pe.narrow(1, 0, steps), p=self.p, training=self.training)

# %% right: eleventh_own_time_step_by_time_step
class PositionalEncoding(nn.Module):
    """Adds row t to all the words at time t, one time after the other."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.register_buffer("waves", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        words = x.unbind(dim=1)  # T tensors (N, D)
        if len(words) > len(self.waves):
            raise ValueError(f"{len(words)} positions, but only {len(self.waves)} rows")
        placed = [word + row for word, row in zip(words, self.waves)]
        return self.drop(torch.stack(placed, dim=1))


# %% right: twelfth_own_batch_axis_in_the_buffer
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model)[None], persistent=False)

    def forward(self, x):
        room, needed = self.pe.shape[1], x.shape[1]
        if needed > room:
            raise ValueError(f"x has {needed} positions, there are only {room}")
        total = x + self.pe.narrow(1, 0, needed).expand_as(x)
        return F.dropout(total, p=self.p, training=self.training)

# %% right: twelfth_own_time_first_inside
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(p=dropout)
        self.register_buffer("waves", sinusoidal_encoding(max_len, d_model).unsqueeze(1))

    def forward(self, x):
        words = x.transpose(0, 1)
        if len(words) > len(self.waves):
            raise ValueError("the sentence is longer than max_len")
        where = torch.arange(len(words), device=x.device)
        return self.drop((words + self.waves[where]).transpose(0, 1))
