# %% wrong: pytorch-tutorial-time-first | taken from PyTorch's tutorial, which is time first: length is x.size(0), the batch, and the encoding (N, 1, D) is the same at all positions of a sentence and differs between sentences.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(1)
        self.register_buffer("pe", pe)
    def forward(self, x, start=0):
        end = start + x.size(0)
        if end > self.max_len:
            raise ValueError(f"PositionalEncoding got {end} positions, but has max_len={self.max_len}")
        x = x + self.pe[start:end]
        return self.dropout(x)

# %% wrong: plain-attribute | the encoding is kept as a plain tensor attribute with requires_grad False, not as a buffer: it does not follow the model to a GPU (or to another dtype), so it stays where it was made.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super(PositionalEncoding, self).__init__()
        self.max_len = max_len
        self.drop_out = nn.Dropout(p=dropout)
        self.encoding = sinusoidal_encoding(max_len, d_model)
        self.encoding.requires_grad = False
    def forward(self, x, start=0):
        batch_size, seq_len, d_model = x.size()
        end = start + seq_len
        if end > self.max_len:
            raise ValueError(f"PositionalEncoding got {end} positions, max_len is {self.max_len}")
        return self.drop_out(x + self.encoding[start:end, :])

# %% wrong: fairseq-grows | as in fairseq the table is made longer when a text is too long, so no ValueError is raised past max_len.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.d_model = d_model
        self.register_buffer("weights", sinusoidal_encoding(max_len, d_model), persistent=False)
    def forward(self, x, start=0):
        bsz, seq_len, _ = x.shape
        max_pos = start + seq_len
        if max_pos > self.weights.size(0):
            self.weights = sinusoidal_encoding(max_pos, self.d_model).to(self.weights)
        positions = torch.arange(start, max_pos, device=x.device)
        return self.dropout(x + self.weights.index_select(0, positions).expand(bsz, -1, -1))

# %% wrong: added-in-place | the encoding is added with += to x itself, so the caller's tensor is changed (and a second call with it adds the positions again).
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model)[None])
    def forward(self, x, start=0):
        end = start + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions, but max_len={self.max_len}")
        x += self.encoding[:, start:end]
        return self.dropout(x)

# %% wrong: trained-and-one-too-strict | two mistakes: the sinusoids are an nn.Parameter, so they are counted and trained although they are to be fixed; and the test is >= max_len, so a text that ends exactly at max_len is refused.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.table = nn.Parameter(sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        end = start + x.size(-2)
        if end >= len(self.table):
            raise ValueError(f"PositionalEncoding got {end} positions, max_len is {len(self.table)}")
        return self.drop(self.table[start:end] + x)

# %% wrong: dropout-on-the-encoding | dropout is applied to the encoding alone before it is added, not to the sum: the vectors of the words are never dropped.
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
        encoding = self.encoding[start:end]
        output = x + self.dropout(encoding)
        return output

# %% right: computed-in-each-call
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("even", torch.arange(0, d_model, 2), persistent=False)
    def forward(self, x, start=0):
        _, length, width = x.shape
        if start + length > self.max_len:
            raise ValueError(f"{start + length} positions do not fit in max_len={self.max_len}")
        rates = 10000 ** (-self.even.double() / width)
        place = torch.arange(start, start + length, device=x.device).double()
        angles = torch.outer(place, rates)
        waves = torch.stack([angles.sin(), angles.cos()], dim=2).reshape(length, -1)[:, :width]
        return self.dropout(x + waves.to(x.dtype))

# %% right: annotated-pe
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(0)
        self.register_buffer("pe", pe)
    def forward(self, x, start=0):
        if start + x.size(1) > self.pe.size(1):
            raise ValueError(f"got {start + x.size(1)} positions, max_len is {self.pe.size(1)}")
        x = x + self.pe[:, start : start + x.size(1)].requires_grad_(False)
        return self.dropout(x)
