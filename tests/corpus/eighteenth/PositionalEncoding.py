# %% wrong: tutorial-time-first | The module is written for (T, N, D): it takes its length from axis 0 and gives each entry of axis 0 one row. Here tensors are batch first, (N, T, D), so every word of sentence n gets the vector of position n, the same for all of its words.
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
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = x + self.pe[start:end]
        return self.dropout(x)

# %% wrong: frozen-parameter | The encoding is kept as an nn.Parameter with requires_grad=False. It then counts among the parameters of the module; it is computed and never learned, so it has to be a buffer (register_buffer).
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.weight = nn.Parameter(sinusoidal_encoding(max_len, d_model), requires_grad=False)
    def forward(self, x, start=0):
        seq_len = x.shape[1]
        if start + seq_len > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {start + seq_len} positions, "
                f"but was made for max_len={self.max_len}"
            )
        positions = torch.arange(start, start + seq_len, device=self.weight.device)
        return self.dropout(x + F.embedding(positions, self.weight))

# %% wrong: dropout-on-one-term | Dropout acts on the tokens' vectors alone, before the positions are added. Section 5.4 applies it to the sum of embeddings and positional encodings, so positions have to be dropped with it.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model), persistent=False)
    def forward(self, x, start=0):
        _, length, _ = x.shape
        end = start + length
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        rows = self.encoding.narrow(0, start, length)
        output = rows + self.dropout(x)
        return output

# %% wrong: scaled-again | The vectors are multiplied by the root of d_model before the positions are added. TokenEmbedding has done that already; this module only adds to x, so its input must not be scaled a second time.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.d_model = d_model
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))
    def forward(self, x, start=0):
        x = x * math.sqrt(self.d_model)
        seq_len = x.size(1)
        if start + seq_len > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {start + seq_len} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = x + self.pe[:, start : start + seq_len]
        return self.dropout(x)

# %% wrong: plain-and-always-from-zero | Two mistakes. The encoding is a plain attribute and no buffer, so it does not follow the model to another device or dtype; and the rows always begin at 0, so `start` moves the limit but not the positions.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.max_len = max_len
        self.table = sinusoidal_encoding(max_len, d_model)
    def forward(self, x, start=0):
        length = x.size(-2)
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {start + length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.drop(torch.add(x, self.table[:length]))

# %% right: computed-in-each-call
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        feature = torch.arange(d_model, dtype=torch.float64)
        odd = feature.remainder(2)
        rate = torch.pow(10000.0, (odd - feature) / d_model).float()
        self.register_buffer("rate", rate, persistent=False)
        self.register_buffer("odd", odd.bool(), persistent=False)
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        place = torch.arange(start, end, device=self.rate.device, dtype=self.rate.dtype)
        angle = place.unsqueeze(1) * self.rate
        waves = torch.where(self.odd, angle.cos(), angle.sin())
        return self.dropout(x + waves.to(x.dtype))
