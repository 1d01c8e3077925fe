# %% wrong: start-ignored | The rows are always taken from 0 on: `start` counts for the check of max_len only, so a piece that begins at start=5 gets the encodings of positions 0, 1, ... again.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)
    def forward(self, x, start=0):
        length = x.size(1)
        end = start + length
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = self.dropout(x + encoding)
        return output

# %% wrong: a-parameter | The encoding is an nn.Parameter, so the optimizer trains it. The text says that it is computed once and never learned, no parameter but a buffer.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.encoding = nn.Parameter(encoding)
    def forward(self, x, start=0):
        length = x.size(1)
        end = start + length
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[start:end]
        output = self.dropout(x + encoding)
        return output

# %% wrong: dropout-on-the-encoding-alone | Dropout acts on the encoding before it is added, not on the sum of embedding and encoding (section 5.4).
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding, persistent=False)
    def forward(self, x, start=0):
        length = x.shape[1]
        end = start + length
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.dropout(self.encoding[start:end])
        output = x + encoding
        return output

# %% wrong: time-first | In the manner of PyTorch's tutorial, written for (T, N, D): the rows are (T, 1, D) and as many are taken as x.size(0) says. With (N, T, D) every sentence gets one encoding for all its words, that of its place in the batch.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(1)
        self.register_buffer("pe", pe)
    def forward(self, x, start=0):
        if start + x.size(1) > self.max_len:
            raise ValueError(f"got {start + x.size(1)} positions, max_len is {self.max_len}")
        x = x + self.pe[start : start + x.size(0)]
        return self.dropout(x)

# %% wrong: scaled-again | In the manner of tutorials whose positional encoder multiplies by the root of d_model: TokenEmbedding has already done that, so x is scaled here a second time; the module is to add and nothing else.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))
    def forward(self, x, start=0):
        seq_len = x.size(1)
        if start + seq_len > self.max_len:
            raise ValueError(f"{start + seq_len} positions do not fit into {self.max_len}")
        x = x * math.sqrt(self.d_model)
        x = x + self.pe[:, start : start + seq_len].detach()
        return self.dropout(x)

# %% wrong: no-limit | The encoding is computed in each call from rates in a buffer, which is allowed, but nothing checks max_len: the ValueError for a position past it is missing.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.d_model = d_model
        self.max_len = max_len
        even = torch.arange(0, d_model, 2, dtype=torch.float64)
        self.register_buffer("rate", 10000 ** (-even / d_model))
    def forward(self, x, start=0):
        place = torch.arange(start, start + x.size(1), device=x.device)
        angle = place[:, None] * self.rate
        waves = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, : self.d_model]
        return self.dropout(x + waves.to(x.dtype))

# %% wrong: last-position-refused | The comparison is >= instead of >: a text that ends exactly at max_len is refused, although none of its positions stands past it.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        stop = start + x.shape[-2]
        if stop >= len(self.table):
            raise ValueError(f"position {stop} lies past max_len={len(self.table)}")
        return self.drop(x + self.table.narrow(0, start, x.shape[-2]))

# %% wrong: plain-attribute-and-dropout-before-adding | Two mistakes. The encoding is a plain attribute, no buffer, so it does not follow the model to a GPU; and dropout acts on x before the encoding is added, not on the sum.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.encoding = sinusoidal_encoding(max_len, d_model)
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = self.dropout(x)
        output = x + self.encoding[start:end]
        return output

# %% right: rates-in-a-buffer
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.d_model = d_model
        self.max_len = max_len
        even = torch.arange(0, d_model, 2, dtype=torch.float64)
        self.register_buffer("rate", 10000 ** (-even / d_model), persistent=False)
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(f"{end} positions, but max_len is {self.max_len}")
        place = torch.arange(start, end, device=x.device)
        angle = torch.outer(place.to(self.rate.dtype), self.rate)
        waves = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, : self.d_model]
        return self.dropout(x + waves.to(x.dtype))

# %% right: annotated
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("pe", pe[None])
    def forward(self, x, start=0):
        positions = slice(start, start + x.size(1))
        if positions.stop > self.pe.size(1):
            raise ValueError(f"no encoding for position {positions.stop - 1}")
        x = x + self.pe[:, positions].requires_grad_(False)
        return self.dropout(x)
