# %% right: notebook skeleton filled
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
        output = self.dropout(x + encoding)
        return output

# %% right: pe with a batch axis, saved
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(0)
        self.register_buffer("pe", pe)

    def forward(self, x):
        if x.size(1) > self.pe.size(1):
            raise ValueError(f"sequence of {x.size(1)} is longer than max_len={self.pe.size(1)}")
        x = x + self.pe[:, : x.size(1)].requires_grad_(False)
        return self.dropout(x)

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

    def forward(self, x):
        t = x.shape[1]
        if t > self.max_len:
            raise ValueError("%d positions, but max_len is %d" % (t, self.max_len))
        return self.dropout(x + self.pe[:t, :])

# %% right: narrow
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(length=max_len, d_model=d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        limit = self.table.shape[0]
        n, t, d = x.shape
        if not t <= limit:
            raise ValueError(f"x has {t} positions, the table ends at {limit}")
        return self.drop(torch.add(x, self.table.narrow(0, 0, t)))

# %% right: lookup by position ids
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
        self.register_buffer("position_ids", torch.arange(max_len), persistent=False)

    def forward(self, x):
        seq_length = x.size(1)
        if seq_length > self.max_len:
            raise ValueError(f"seq_length={seq_length} exceeds max_len={self.max_len}")
        ids = self.position_ids[:seq_length]
        return self.dropout(x + F.embedding(ids, self.encoding))

# %% right: in place on a clone
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding: {length} > max_len={self.max_len}")
        total = x.clone()
        total += self.encoding[:length]
        return self.dropout(total)

# %% right: loop over the sentences
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        table = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", table)

    def forward(self, x):
        number_of_words = x.shape[1]
        if number_of_words > self.max_len:
            raise ValueError(
                "The sentence has " + str(number_of_words)
                + " words, but at most " + str(self.max_len) + " are possible"
            )
        rows = self.encoding[0:number_of_words]
        sentences = []
        for sentence in x:
            sentences.append(sentence + rows)
        result = torch.stack(sentences, dim=0)
        result = self.dropout(result)
        return result

# %% right: loop over the positions
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        batch, length, width = x.size()
        if length > self.max_len:
            raise ValueError(f"length {length} is more than max_len {self.max_len}")
        columns = [x[:, pos, :] + self.encoding[pos] for pos in range(length)]
        return self.dropout(torch.stack(columns, dim=1))

# %% right: is a Dropout
class PositionalEncoding(nn.Dropout):
    """Dropout of a sum; nn.Dropout knows the rate and the mode already."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__(p=dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x):
        if x.size(1) > len(self.encoding):
            raise ValueError(f"{x.size(1)} positions are more than {len(self.encoding)}")
        return super().forward(x + self.encoding[: x.size(1)])

# %% right: base class for absolute positions
class _AbsolutePositions(nn.Module):
    def __init__(self, dropout, max_len):
        super().__init__()
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)

    def rows(self, length):
        raise NotImplementedError

    def forward(self, x):
        length = x.size(-2)
        if length > self.max_len:
            raise ValueError(f"{type(self).__name__}: {length} positions, max_len={self.max_len}")
        return self.dropout(x + self.rows(length))


class PositionalEncoding(_AbsolutePositions):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__(dropout, max_len)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def rows(self, length):
        return self.encoding[:length]

# %% right: max_len is a property
class PositionalEncoding(nn.Module):
    encoding: torch.Tensor

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    @property
    def max_len(self):
        return self.encoding.shape[-2]

    @property
    def d_model(self):
        return self.encoding.shape[-1]

    def extra_repr(self):
        return f"d_model={self.d_model}, max_len={self.max_len}"

    def forward(self, x):
        if (length := x.shape[1]) > self.max_len:
            raise ValueError(f"got {length} positions, but was made for {self.max_len}")
        return self.dropout(x + self.encoding[None, :length])

# %% right: functional dropout
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"too long: {length} > {self.max_len}")
        return F.dropout(x + self.encoding[:length], p=self.p, training=self.training)

# %% right: double table, cast to the input
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model).double())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, limit {self.max_len}")
        return self.dropout(x + self.encoding[:length].to(x))

# %% right: time first inside, rightly
class PositionalEncoding(nn.Module):
    """Adapted from a tutorial that is written for (T, N, D)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(1)  # (max_len, 1, D)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x = x.transpose(0, 1)  # (T, N, D)
        if x.size(0) > self.pe.size(0):
            raise ValueError(f"{x.size(0)} time steps, but max_len is {self.pe.size(0)}")
        x = x + self.pe[: x.size(0)]
        return self.dropout(x).transpose(0, 1)

# %% right: one-hot positions times the table
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions asked, {self.max_len} available")
        table = self.encoding
        choose = torch.eye(length, self.max_len, dtype=table.dtype, device=table.device)
        return self.dropout(x + torch.einsum("tm,md->td", choose, table))

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

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() != 3:
            raise ValueError(f"x should be (N, T, D), got {tuple(x.shape)}")
        if x.size(2) != self.d_model:
            raise ValueError(f"x has {x.size(2)} features instead of {self.d_model}")
        length: int = x.size(1)
        if length > self.max_len:
            raise ValueError(f"x has {length} positions, max_len is {self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% right: functools.partial
import functools


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        keep = functools.partial(self.register_buffer, persistent=False)
        keep("encoding", functools.partial(sinusoidal_encoding, d_model=d_model)(max_len))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        longest, length = self.encoding.size(0), x.size(1)
        if length > longest:
            raise ValueError(f"no encoding for {length} positions, only for {longest}")
        return self.dropout(x + self.encoding[:length])

# %% right: Identity where nothing is dropped
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.finish = nn.Dropout(dropout) if dropout else nn.Identity()
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
        self.max_len = max_len

    def _check(self, length):
        if length > self.max_len:
            raise ValueError(f"{length} positions do not fit max_len={self.max_len}")
        return length

    def forward(self, x):
        return self.finish(x + self.encoding[: self._check(x.size(1))])

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

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

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

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} is longer than {self.max_len}")
        return self.dropout(x + self.encoding[:length])

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

    def forward(self, x):
        n, t, d = x.shape
        if t > self.waves.shape[1]:
            raise ValueError(f"{t} positions, but waves for {self.waves.shape[1]}")
        return self.dropout(x + self.waves[:, :t, :].expand(n, t, d))

# %% right: buffer declared first, filled later
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.max_len = max_len
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", None)
        self.reset()

    def reset(self):
        self.encoding = sinusoidal_encoding(self.max_len, self.d_model)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"got {length}, made for {self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% right: table in a module of its own
class _Table(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.register_buffer("rows", rows)

    def __len__(self):
        return self.rows.size(0)

    def forward(self, length):
        if length > len(self):
            raise ValueError(f"asked for {length} positions, but max_len={len(self)}")
        return self.rows[:length]


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.table = _Table(sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(x + self.table(x.size(1)))

# %% right: an offset may be given
class PositionalEncoding(nn.Module):
    """Supports more than asked: `offset` is the position of the first vector (cached decoding)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model), persistent=False)

    def forward(self, x, offset=0):
        end = offset + x.size(1)
        if end > self.max_len:
            raise ValueError(f"positions up to {end}, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[offset:end])

# %% right: dropout in place on the fresh sum
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout, inplace=True)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding: {length} positions, max_len={self.max_len}")
        total = x + self.encoding[:length]  # a tensor of our own
        self.dropout(total)
        return total

# %% right: error turned into ValueError
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        try:
            positions = torch.arange(x.size(1), device=self.encoding.device)
            if len(positions):
                self.encoding[x.size(1) - 1]  # is there a row for the last one?
        except IndexError as error:
            raise ValueError(
                f"x has {x.size(1)} positions, but max_len={len(self.encoding)}"
            ) from error
        return self.dropout(x + self.encoding.index_select(0, positions))

# %% right: dropout written by hand
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.rate = float(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding: length {length} > max_len {self.max_len}")
        total = x + self.encoding[:length]
        if not self.training or self.rate == 0:
            return total
        if self.rate == 1:
            return total * 0
        kept = torch.rand_like(total) >= self.rate
        return torch.where(kept, total / (1 - self.rate), torch.zeros_like(total))

# %% wrong: time first | the first axis is taken for time, as in much published code
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model)
        pe = pe.unsqueeze(0).transpose(0, 1)
        self.register_buffer("pe", pe)

    def forward(self, x):
        if x.size(0) > self.max_len:
            raise ValueError(f"{x.size(0)} positions, max_len={self.max_len}")
        x = x + self.pe[: x.size(0), :]
        return self.dropout(x)

# %% wrong: rows as many as sentences | length = x.size(0) in the skeleton, right only where N equals T
class PositionalEncoding(nn.Module):
    """Add to each vector of x, (N, T, D), the sinusoids of its position (section 3.5)."""

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding)

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

# %% wrong: length read from the features | x.size(-1) instead of x.size(-2)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(-1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        return self.dropout(x + encoding)

# %% wrong: only the check looks at the batch | x.size(0) is compared with max_len
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        if len(x) > self.max_len:
            raise ValueError(f"got {len(x)} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[: x.shape[1]])

# %% wrong: encoding spread over the batch | unsqueeze(1) gives (T, 1, D), which fits only some shapes
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, not {self.max_len}")
        encoding = self.encoding[:length].unsqueeze(1)
        output = self.dropout(x + encoding)
        return output

# %% wrong: a plain attribute | no buffer, so the table does not follow the model to a device
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
        encoding = self.encoding[:length]
        output = self.dropout(x + encoding)
        return output

# %% wrong: a learned parameter | nn.Parameter: the optimizer would change the sinusoids
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.encoding = nn.Parameter(encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = self.dropout(x + encoding)
        return output

# %% wrong: a frozen parameter | nn.Parameter with requires_grad=False is still a parameter
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.pe = nn.Parameter(sinusoidal_encoding(max_len, d_model)[None], requires_grad=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.size(1) > self.pe.size(1):
            raise ValueError(f"too long: {x.size(1)} positions for {self.pe.size(1)}")
        return self.dropout(x + self.pe[:, : x.size(1)])

# %% wrong: a frozen nn.Embedding | from_pretrained(freeze=True) holds a parameter, not a buffer
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        table = sinusoidal_encoding(max_len, d_model)
        self.embedding = nn.Embedding.from_pretrained(table, freeze=True)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"{x.size(1)} positions, max_len={self.max_len}")
        return self.dropout(x + self.embedding(torch.arange(x.size(1), device=x.device)))

# %% wrong: dropout before the sum | only x is dropped, section 5.4 says the sums
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = self.dropout(x) + encoding
        return output

# %% wrong: dropout on the encoding | the positions are dropped, x is not
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.dropout(self.encoding[:length])
        output = x + encoding
        return output

# %% wrong: dropout on both terms apart | two independent draws instead of one on the sum
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError("longer than max_len")
        rows = self.encoding[: x.size(1)].expand_as(x)
        return self.dropout(x) + self.dropout(rows)

# %% wrong: no dropout | the module is made and never called
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = x + encoding
        return output

# %% wrong: dropout in eval mode, too | F.dropout without training=self.training
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, max {self.max_len}")
        return F.dropout(x + self.encoding[:length], self.p)

# %% wrong: dropout twice | once on x and once more on the sum
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
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
        x = self.dropout(x)
        output = self.dropout(x + self.encoding[:length])
        return output

# %% wrong: mode the wrong way round | drops in eval mode and not in training
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p, self.max_len = dropout, max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"{x.size(1)} > {self.max_len}")
        total = x + self.encoding[: x.size(1)]
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

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"got {x.size(1)} positions, made for {self.max_len}")
        total = x + self.encoding[: x.size(1)]
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

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"PositionalEncoding got {length} positions, max {self.max_len}")
        encoding = self.encoding[:length]
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

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.encoding[:length])

# %% wrong: rate taken for the keep probability | nn.Dropout(1 - dropout)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        keep = dropout
        self.dropout = nn.Dropout(1 - keep) if keep else nn.Identity()
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError("x is longer than max_len")
        return self.dropout(x + self.encoding[: x.size(1)])

# %% wrong: dropout rate ignored | nn.Dropout() has 0.5, whatever is asked for
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout()
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = self.dropout(x + encoding)
        return output

# %% wrong: default dropout 0.5 | the signature says 0.1
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.5, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: default max_len 512 | that of the learned embedding
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        encoding = self.encoding[:length]
        output = self.dropout(x + encoding)
        return output

# %% wrong: arguments in another order | (d_model, max_len, dropout), as some tutorials have it: positional calls mix them up
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: x changed in place | x += encoding writes into the caller's tensor
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x += self.encoding[:length]
        output = self.dropout(x)
        return output

# %% wrong: x changed in place without gradients only | the short cut for inference writes into the caller's tensor
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        rows = self.encoding[:length]
        if not self.training and not x.requires_grad:
            return x.add_(rows)  # saves memory
        return self.dropout(x + rows)

# %% wrong: x scaled by sqrt of d_model | the factor belongs to TokenEmbedding, here it comes a second time
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.scale = math.sqrt(d_model)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        output = self.dropout(x * self.scale + self.encoding[:length])
        return output

# %% wrong: encoding scaled down | divided by sqrt(d_model) so that words do not drown
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model) / math.sqrt(d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: positions from one on | rows 1 to T instead of 0 to T - 1
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len + 1, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[1 : length + 1]
        output = self.dropout(x + encoding)
        return output

# %% wrong: last row only | indexed with length - 1 instead of sliced, all words get the same
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[length - 1]
        output = self.dropout(x + encoding)
        return output

# %% wrong: rows from the end | encoding[-length:], right only at max_len
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        seq_len = x.shape[1]
        if seq_len > self.pe.shape[1]:
            raise ValueError(f"sequence length {seq_len} above max_len {self.pe.shape[1]}")
        return self.dropout(x + self.pe[:, -seq_len:])

# %% wrong: positions run backwards | the rows are flipped, the first word gets the last position
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        positions = torch.arange(length - 1, -1, -1, device=x.device)
        return self.dropout(x + self.encoding[positions])

# %% wrong: max_len itself refused | >= instead of >
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length >= self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.encoding[:length])

# %% wrong: one position too many allowed | the table has max_len + 1 rows and the check goes by the table
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len + 1, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.encoding.size(0):
            raise ValueError(f"{length} positions are too many")
        return self.dropout(x + self.encoding[:length])

# %% wrong: no check | a sentence that is too long fails with a RuntimeError, or with max_len 1 not at all
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model)[None])

    def forward(self, x):
        x = x + self.pe[:, : x.size(1)]
        return self.dropout(x)

# %% wrong: assert for the length | AssertionError instead of ValueError
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        assert length <= self.max_len, f"{length} positions, but max_len={self.max_len}"
        return self.dropout(x + self.encoding[:length])

# %% wrong: IndexError for the length | the wrong class of exception
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        n, t, _ = x.shape
        if t > self.max_len:
            raise IndexError(f"position {t - 1} is not in a table of {self.max_len} rows")
        return self.dropout(x + self.encoding[:t].expand(n, -1, -1))

# %% wrong: warns instead of raising | a warning, and the rows are repeated from the start
import warnings


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            warnings.warn(f"{length} positions, but max_len={self.max_len}")
        position = torch.arange(length, device=x.device) % self.max_len
        return self.dropout(x + self.encoding[position])

# %% wrong: clamped positions | all that is past max_len shares the last row, no ValueError
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        ids = torch.arange(x.size(1), device=x.device).clamp(max=self.max_len - 1)
        return self.dropout(x + F.embedding(ids, self.encoding))

# %% wrong: long sentences cut off | x[:, :max_len] instead of a ValueError
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        x = x[:, : self.max_len]
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: table grows past max_len | clever, but the contract wants a ValueError
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.d_model = d_model
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.encoding.size(0):
            longer = sinusoidal_encoding(2 * length, self.d_model)
            self.encoding = longer.to(self.encoding)
        return self.dropout(x + self.encoding[:length])

# %% wrong: max_len argument ignored | 5000 rows and a check against 5000, whatever is asked for
class PositionalEncoding(nn.Module):
    MAX_LEN = 5000

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(self.MAX_LEN, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.MAX_LEN:
            raise ValueError(f"{length} positions, but max_len={self.MAX_LEN}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: table of 5000 rows always | max_len is checked, but a larger one has no rows
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(5000, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = self.dropout(x + encoding)
        return output

# %% wrong: table made for 512 features | cut to d_model afterwards, so the rates are those of another size
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, max(512, d_model))[:, :d_model]
        self.register_buffer("encoding", encoding.contiguous())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: odd sizes rounded up | sinusoids of d_model + 1 features, cut: the rates of an odd size are wrong
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        even_size = d_model + d_model % 2
        self.register_buffer("encoding", sinusoidal_encoding(max_len, even_size)[:, :d_model].clone())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: odd sizes refused | as OpenNMT does: "Cannot use sin/cos positional encoding with odd dim"
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        if d_model % 2 != 0:
            raise ValueError(
                "Cannot use sin/cos positional encoding with odd dim (got dim={:d})".format(d_model)
            )
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        if x.size(1) > self.pe.size(0):
            raise ValueError(
                f"Sequence is {x.size(1)} but PositionalEncoding is limited to {self.pe.size(0)}."
            )
        x = x + self.pe[: x.size(1)]
        return self.dropout(x)

# %% wrong: odd sizes fail | the cosines of an odd size do not fit the slice
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).double() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term).float()
        pe[:, 1::2] = torch.cos(position * div_term).float()
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"{x.size(1)} positions, but max_len={self.max_len}")
        return self.dropout(x + self.pe[:, : x.size(1)])

# %% wrong: sines and cosines in two halves | concatenated as in tensor2tensor, not in turns
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] * rate
        table = torch.cat([angle.sin(), angle.cos()], dim=1)[:, :d_model]
        self.register_buffer("encoding", table.float())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: exponent doubled | 2 * i where i runs over the even features already
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        table = torch.zeros(max_len, d_model)
        pos = torch.arange(max_len, dtype=torch.float64)
        for i in range(0, d_model, 2):
            table[:, i] = torch.sin(pos / 10000 ** (2 * i / d_model))
            if i + 1 < d_model:
                table[:, i + 1] = torch.cos(pos / 10000 ** (2 * i / d_model))
        self.register_buffer("encoding", table)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: cosines with a rate of their own | feature 2i + 1 uses the exponent (2i + 1) / D
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        feature = torch.arange(d_model, dtype=torch.float64)
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] / 10000 ** (feature / d_model)
        table = torch.where(feature % 2 == 0, angle.sin(), angle.cos())
        self.register_buffer("encoding", table.float())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: cosine first | even features are cosines, odd ones sines
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] * rate
        clock = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))
        self.register_buffer("encoding", clock.flatten(1)[:, :d_model].float())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: base 1000 | a zero is missing in the constant
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).double().unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).double() * -(math.log(1000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)[:, : d_model // 2]
        self.register_buffer("pe", pe)

    def forward(self, x):
        if x.size(1) > len(self.pe):
            raise ValueError(f"{x.size(1)} positions, but max_len={len(self.pe)}")
        return self.dropout(x + self.pe[: x.size(1)])

# %% wrong: sines and cosines by rows | even positions are sines and odd ones cosines, the slice is on the wrong axis
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        pair = torch.arange(d_model, dtype=torch.float64) // 2
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] / 10000 ** (2 * pair / d_model)
        angle[0::2, :] = torch.sin(angle[0::2, :])
        angle[1::2, :] = torch.cos(angle[1::2, :])
        self.register_buffer("encoding", angle.float())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: positions as shares of max_len | pos / max_len, so the encoding depends on the size of the table
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        pos = torch.linspace(0, 1, max_len, dtype=torch.float64)[:, None]
        rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        table = torch.stack(((pos * rate).sin(), (pos * rate).cos()), -1).flatten(1)[:, :d_model]
        self.register_buffer("encoding", table.float())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: half precision in the counter | float16 cannot count past 2048, and angles are rough before
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        position = torch.arange(max_len, dtype=torch.float32).half()[:, None].float()
        rate = 10000.0 ** (-torch.arange(0, d_model, 2).half().float() / d_model)
        table = torch.zeros(max_len, d_model)
        table[:, 0::2] = torch.sin(position * rate)
        table[:, 1::2] = torch.cos(position * rate)[:, : d_model // 2]
        self.register_buffer("encoding", table)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: table in bfloat16 | three digits of the encoding are left
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model).to(torch.bfloat16)  # saves memory
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.encoding[:length])

# %% wrong: table left in float64 | the output of a float32 x becomes float64
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] * rate
        pe = torch.zeros(max_len, d_model, dtype=torch.float64)
        pe[:, 0::2] = angle.sin()
        pe[:, 1::2] = angle.cos()[:, : d_model // 2]
        self.register_buffer("pe", pe)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.pe[:length])

# %% wrong: x forced to float32 | a float64 x comes back in single precision
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x.float() + self.encoding[:length].float())

# %% wrong: x detached | the embeddings below would never learn
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        output = x.detach() + self.encoding[:length]
        return self.dropout(output)

# %% wrong: sum under no_grad | "the encoding is never learned", but x is
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        with torch.no_grad():
            output = x + self.encoding[:length]
        return self.dropout(output)

# %% wrong: gradients switched off for good | set_grad_enabled(False) in the constructor is never undone
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        torch.set_grad_enabled(False)  # the encoding is not trained
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: default dtype changed | set_default_dtype(float64) for a precise table stays set
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        torch.set_default_dtype(torch.float64)
        rate = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
        angle = torch.arange(max_len)[:, None] * rate
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = angle.sin()
        pe[:, 1::2] = angle.cos()[:, : d_model // 2]
        self.register_buffer("pe", pe.float())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.pe[:length])

# %% wrong: seed set in the constructor | "reproducible", but all random numbers after it repeat
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        torch.manual_seed(0)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: multiplied instead of added | x * encoding
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        encoding = self.encoding[:length]
        output = self.dropout(x * encoding)
        return output

# %% wrong: concatenated instead of added | the output has 2 D features
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        rows = self.encoding[:length].expand(x.size(0), -1, -1)
        return self.dropout(torch.cat([x, rows], dim=-1))

# %% wrong: encoding returned alone | x is forgotten, only the positions come out
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = self.dropout(encoding.expand_as(x))
        return output

# %% wrong: returns a pair | the sum and the encoding
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        encoding = self.encoding[:length]
        return self.dropout(x + encoding), encoding

# %% wrong: one axis too many | a table (1, 1, max_len, D) makes the sum four-dimensional
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model)[None, None])

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:, :, :length])

# %% wrong: only the first sentence | the batch axis is indexed, right for a batch of one
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        total = x.clone()
        total[0] = total[0] + self.encoding[:length]
        return self.dropout(total)

# %% wrong: zero vectors skipped | taken for padding, but the contract adds the encoding everywhere
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        real = (x != 0).any(dim=-1, keepdim=True)
        return self.dropout(x + self.encoding[:length] * real)

# %% wrong: positions go on from call to call | a counter kept in the module shifts the second batch
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.start = 0
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        if self.start + length > self.max_len:
            self.start = 0
        rows = self.encoding[self.start : self.start + length]
        self.start += length
        return self.dropout(x + rows)

# %% wrong: single words count on | a call with T = 1 is taken for the next step of decoding
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.step = 0
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        if length == 1:
            rows = self.encoding[self.step]
            self.step = (self.step + 1) % self.max_len
        else:
            self.step = 0
            rows = self.encoding[:length]
        return self.dropout(x + rows)

# %% wrong: random shift in training | positions start anywhere, an idea of other papers
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        start = 0
        if self.training:
            start = int(torch.randint(0, self.max_len - length + 1, ()))
        return self.dropout(x + self.encoding[start : start + length])

# %% wrong: rows of the first call kept | cached for its length, a longer sentence later does not fit
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
        self.rows = None

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        if self.rows is None:
            self.rows = self.encoding[:length]
        return self.dropout(x + self.rows)

# %% wrong: buffer made in the first call | before it there is none, so nothing follows the model to a device
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        if not hasattr(self, "encoding"):
            self.register_buffer("encoding", sinusoidal_encoding(self.max_len, self.d_model))
        return self.dropout(x + self.encoding[:length])

# %% wrong: computed anew in each call | no buffer at all, and the rows are always made on the CPU
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        n, t, d = x.shape
        if t > self.max_len:
            raise ValueError(f"{t} positions, but max_len={self.max_len}")
        return self.dropout(x + sinusoidal_encoding(t, d))

# %% wrong: table kept on the class | the first module's size is used by all others
class PositionalEncoding(nn.Module):
    _table = None

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        if PositionalEncoding._table is None:
            PositionalEncoding._table = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", PositionalEncoding._table)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length, : x.size(2)])

# %% wrong: cache as a default argument | keyed by d_model only, so a second max_len gets the first one's rows
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000, cache={}):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        if d_model not in cache:
            cache[d_model] = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("encoding", cache[d_model])

    def forward(self, x):
        length = x.size(1)
        if length > self.encoding.size(0):
            raise ValueError(f"{length} positions, but max_len={self.encoding.size(0)}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: one output tensor for all calls | the result of an earlier call is overwritten by the next
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
        self._out = None

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        rows = self.encoding[:length]
        if x.requires_grad:
            return self.dropout(x + rows)
        if self._out is None or self._out.shape != x.shape or self._out.dtype != x.dtype:
            self._out = torch.empty_like(x)
        torch.add(x, rows, out=self._out)  # no allocation
        return self.dropout(self._out)

# %% wrong: the buffer is written to | for a single sentence the sum is made in the rows themselves
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        output = self.encoding[None, :length]
        if x.size(0) == 1:
            output += x.detach()
            output = output + (x - x.detach())
        else:
            output = output + x
        return self.dropout(output)

# %% wrong: normalised at the end | a LayerNorm without parameters, as in BERT's embeddings
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(d_model, elementwise_affine=False)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(self.norm(x + self.encoding[:length]))

# %% wrong: learned instead of computed | an nn.Embedding, the next component of the lesson
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.embedding(torch.arange(length, device=x.device)))

# %% wrong: base class not initialised | super().__init__() is missing
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])

# %% wrong: buffer under one name, read under another | register_buffer("pe", ...) but self.encoding
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("pe", encoding)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[:length]
        output = self.dropout(x + encoding)
        return output

# %% wrong: sizes exchanged | sinusoidal_encoding(d_model, max_len), transposed to fit
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(d_model, max_len).T.contiguous())

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        return self.dropout(x + self.encoding[:length])
