# %% wrong: time_first | TRUE CAUSE: time is taken to be axis 0, so each word gets added the encoding of its sentence's number in the batch instead of its place in the sentence
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding.unsqueeze(1))

    def forward(self, x):
        length = x.size(0)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]  # (T, D), the same for the whole batch
        output = self.dropout(x + encoding)
        return output


# %% wrong: plain_attribute | TRUE CAUSE: the encoding is kept as a plain attribute instead of a buffer, so it does not follow the module to another device or dtype
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

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


# %% wrong: missing_self | TRUE CAUSE: register_buffer is called without self., which is a NameError
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        register_buffer("encoding", encoding)

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


# %% wrong: dropout_on_positions | TRUE CAUSE: dropout is applied to the encoding alone, before the sum, instead of to the sum
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("table", encoding, persistent=False)

    def forward(self, x):
        length = x.shape[-2]
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.table.narrow(0, 0, length)  # (T, D), the same for the whole batch
        output = x + self.dropout(encoding)
        return output


# %% wrong: sum_in_place | TRUE CAUSE: the encoding is added in place, so the caller's x is changed
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding[None], persistent=False)

    def forward(self, x):
        _, length, _ = x.shape
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[0, :length, :]  # (T, D), the same for the whole batch
        output = self.dropout(x.add_(encoding))
        return output


# %% wrong: root_once_more | TRUE CAUSE: x is multiplied by the root of d_model here again, although TokenEmbedding has done so already
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("pe", encoding)

    def forward(self, x):
        length = x.size(dim=1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.pe[torch.arange(length, device=x.device)]  # (T, D)
        output = self.dropout(torch.add(encoding, x, alpha=x.size(-1) ** 0.5))
        return output


# %% wrong: always_dropping | TRUE CAUSE: two at once: F.dropout is called without the training flag, so it drops in eval mode too, and a sentence of exactly max_len positions is refused already
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        T = x.shape[1]
        if T >= self.max_len:
            raise ValueError(f"{T} positions are too many for max_len={self.max_len}")
        return F.dropout(x + self.encoding[:T], p=self.p)


# %% wrong: grows_by_itself | TRUE CAUSE: a sentence longer than max_len gets a new, longer encoding instead of a ValueError
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model), persistent=False)

    def rows(self, length):
        # sinusoids can be computed for any length, so there is no need to give up
        if length > self.encoding.size(0):
            longer = sinusoidal_encoding(length, self.d_model)
            self.encoding = longer.to(self.encoding)
        return self.encoding[:length]

    def forward(self, x):
        return self.dropout(x + self.rows(x.size(1)))


# %% wrong: trained_and_late | TRUE CAUSE: two at once: the encoding is an nn.Parameter and so is trained, and its rows are taken from 1 on instead of from 0 on
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.max_len = max_len
        self.drop = nn.Dropout(p=dropout)
        table = sinusoidal_encoding(max_len + 1, d_model)
        self.encoding = nn.Parameter(table)

    def forward(self, x):
        n, t, d = x.shape
        if t > self.max_len:
            raise ValueError(f"got {t} positions, at most {self.max_len} are possible")
        places = self.encoding[1 : t + 1].expand(n, t, d)
        return self.drop(places + x)
