# %% wrong: dropout_on_the_encoding_alone | TRUE CAUSE: dropout is applied to the encoding before it is added instead of to the sum, so in train mode the numbers of x are never dropped or scaled
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
        output = x + self.dropout(encoding)
        return output

# %% wrong: words_scaled_once_more | TRUE CAUSE: x is multiplied by the root of d_model before the encoding is added, although that factor belongs to TokenEmbedding, so what comes out is not x plus the encoding
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.d_model = d_model
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
        output = self.dropout(x * math.sqrt(self.d_model) + encoding)
        return output

# %% wrong: own_adds_into_x | TRUE CAUSE: x += ... adds the encoding in place, so the caller's tensor is changed (and a leaf that requires a gradient raises an error)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(p=dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        n_words, limit = x.size(1), self.pe.size(1)
        if n_words > limit:
            raise ValueError(f"{n_words} positions, but max_len is {limit}")
        x += self.pe[:, :n_words]
        return self.drop(x)

# %% wrong: own_refuses_the_full_length | TRUE CAUSE: the check is T >= max_len instead of T > max_len, so a sentence of exactly max_len positions raises ValueError although its rows are there
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)

    def rows(self, T):
        if T >= len(self.table):
            raise ValueError(f"no row for position {T}: max_len is {len(self.table)}")
        return self.table[torch.arange(T, device=self.table.device)]

    def forward(self, x):
        N, T, D = x.shape
        return F.dropout(x + self.rows(T).expand(N, T, D), self.p, self.training)
