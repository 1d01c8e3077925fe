# %% right: table in a module of its own
class _Table(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.register_buffer("rows", rows)
    def __len__(self):
        return self.rows.size(0)
    def forward(self, start, length):
        if start + length > len(self):
            raise ValueError(f"asked for {start + length} positions, but max_len={len(self)}")
        return self.rows[start : start + length]
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.table = _Table(sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        return self.dropout(x + self.table(start, x.size(1)))
# %% right: table computed here with exp and log
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
        even = torch.arange(0, d_model, 2, dtype=torch.float64)
        div_term = torch.exp(even * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model, dtype=torch.float64)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
        self.register_buffer("pe", pe.to(torch.get_default_dtype()))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        t = x.shape[1]
        if start + t > self.max_len:
            raise ValueError("%d positions, but max_len is %d" % (t, self.max_len))
        return self.dropout(x + self.pe[start : start + t, :])
# %% right: typed and defensive
class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 5000) -> None:
        super().__init__()
        if d_model <= 0 or max_len <= 0:
            raise ValueError("d_model and max_len must be positive")
        self.d_model: int = d_model
        self.max_len: int = max_len
        self.dropout: nn.Dropout = nn.Dropout(dropout)
        table: torch.Tensor = sinusoidal_encoding(max_len, d_model)
        assert table.shape == (max_len, d_model)
        self.register_buffer("encoding", table.detach().clone())
    def forward(self, x: torch.Tensor, start: int = 0) -> torch.Tensor:
        if x.dim() != 3:
            raise ValueError(f"x should be (N, T, D), got {tuple(x.shape)}")
        if x.size(2) != self.d_model:
            raise ValueError(f"x has {x.size(2)} features instead of {self.d_model}")
        length: int = x.size(1)
        if start + length > self.max_len:
            raise ValueError(f"x has {length} positions, max_len is {self.max_len}")
        return self.dropout(x + self.encoding[start : start + length])
# %% right: cosine as a sine a quarter turn ahead
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        feature = torch.arange(d_model, dtype=torch.float64)
        pair = feature.div(2, rounding_mode="floor")
        rate = torch.pow(torch.tensor(10000.0, dtype=torch.float64), -2 * pair / d_model)
        phase = (feature % 2) * (math.pi / 2)
        position = torch.arange(max_len, dtype=torch.float64)[:, None]
        self.register_buffer("waves", torch.sin(position * rate + phase).float()[None])
    def forward(self, x, start=0):
        n, t, d = x.shape
        if start + t > self.waves.shape[1]:
            raise ValueError(f"{t} positions, but waves for {self.waves.shape[1]}")
        return self.dropout(x + self.waves[:, start : start + t, :].expand(n, t, d))
# %% right: functools.partial
import functools
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        keep = functools.partial(self.register_buffer, persistent=False)
        keep("encoding", functools.partial(sinusoidal_encoding, d_model=d_model)(max_len))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        longest, length = self.encoding.size(0), x.size(1)
        if start + length > longest:
            raise ValueError(f"no encoding for {length} positions, only for {longest}")
        return self.dropout(x + self.encoding[start : start + length])
# %% right: scalar mathematics in Python
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        rows = []
        for pos in range(max_len):
            row = []
            for feature in range(d_model):
                pair = feature // 2
                angle = pos / 10000 ** (2 * pair / d_model)
                if feature % 2 == 0:
                    row.append(math.sin(angle))
                else:
                    row.append(math.cos(angle))
            rows.append(row)
        self.register_buffer("encoding", torch.tensor(rows))
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(f"{length} is longer than {self.max_len}")
        return self.dropout(x + self.encoding[start : start + length])
# %% right: complex numbers
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        angle = torch.outer(torch.arange(max_len, dtype=torch.float64), rate)
        clock = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))  # cos, sin
        table = clock.flip(-1).flatten(1)[:, :d_model]
        self.register_buffer("encoding", table.float().contiguous())
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, max_len={self.max_len}")
        return self.dropout(x + self.encoding[start : start + length])
# %% wrong: time first | the first axis is taken for time, as in much published code
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model)
        pe = pe.unsqueeze(0).transpose(0, 1)
        self.register_buffer("pe", pe)
    def forward(self, x, start=0):
        if start + x.size(0) > self.max_len:
            raise ValueError(f"{x.size(0)} positions, max_len={self.max_len}")
        x = x + self.pe[start : start + x.size(0), :]
        return self.dropout(x)
# %% wrong: rows as many as sentences | length = x.size(0) in the skeleton, right only where N equals T
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding)
    def forward(self, x, start=0):
        length = x.size(0)
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[start : start + length]  # (T, D), the same for the whole batch
        output = self.dropout(x + encoding)
        return output
# %% wrong: length read from the features | x.size(-1) instead of x.size(-2)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        length = x.size(-1)
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[start : start + length]
        return self.dropout(x + encoding)
# %% wrong: only the check looks at the batch | x.size(0) is compared with max_len
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        if start + len(x) > self.max_len:
            raise ValueError(f"got {len(x)} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[start : start + x.shape[1]])
# %% wrong: dropout on both terms apart | two independent draws instead of one on the sum
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        if start + x.size(1) > self.max_len:
            raise ValueError("longer than max_len")
        rows = self.encoding[start : start + x.size(1)].expand_as(x)
        return self.dropout(x) + self.dropout(rows)
# %% wrong: dropout twice | once on x and once more on the sum
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = self.dropout(x)
        output = self.dropout(x + self.encoding[start : start + length])
        return output
# %% wrong: mode the wrong way round | drops in eval mode and not in training
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p, self.max_len = dropout, max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        if start + x.size(1) > self.max_len:
            raise ValueError(f"{x.size(1)} > {self.max_len}")
        total = x + self.encoding[start : start + x.size(1)]
        if self.training:
            return total
        return F.dropout(total, self.p, training=True)
# %% wrong: dropout without the rescale | kept numbers are not divided by 1 - p
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        if start + x.size(1) > self.max_len:
            raise ValueError(f"got {x.size(1)} positions, made for {self.max_len}")
        total = x + self.encoding[start : start + x.size(1)]
        if self.training:
            total = total * (torch.rand_like(total) > self.p)
        return total
# %% wrong: one draw for the whole batch | the dropout mask is drawn for (T, D) and shared by all sentences
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, max {self.max_len}")
        encoding = self.encoding[start : start + length]
        keep = self.dropout(torch.ones_like(encoding))
        return (x + encoding) * keep
# %% wrong: whole words dropped | Dropout1d drops all features of a position at once
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout1d(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.encoding[start : start + length])
# %% wrong: rate taken for the keep probability | nn.Dropout(1 - dropout)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        keep = dropout
        self.dropout = nn.Dropout(1 - keep) if keep else nn.Identity()
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        if start + x.size(1) > self.max_len:
            raise ValueError("x is longer than max_len")
        return self.dropout(x + self.encoding[start : start + x.size(1)])
# %% wrong: dropout rate ignored | nn.Dropout() has 0.5, whatever is asked for
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout()
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[start : start + length]
        output = self.dropout(x + encoding)
        return output
# %% wrong: default dropout 0.5 | the signature says 0.1
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.5, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[start : start + length])
# %% wrong: default max_len 512 | that of the learned embedding
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        encoding = self.encoding[start : start + length]
        output = self.dropout(x + encoding)
        return output
