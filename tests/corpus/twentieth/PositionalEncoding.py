# %% wrong: pytorch-tutorial-time-first | The encoding is made and sliced for tensors (T, N, D): x.size(0), the batch, is taken for the time; so each sentence of the batch gets one vector, by its place in the batch, for all its words.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0] = sinusoidal_encoding(max_len, d_model)
        self.register_buffer("pe", pe)
    def forward(self, x, start=0):
        length = x.size(0)
        end = start + length
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = x + self.pe[start:end]
        return self.dropout(x)

# %% wrong: plain-attribute | The encoding is kept as a plain attribute instead of a buffer, so it does not follow the model to another device.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)
        self.encoding = encoding.unsqueeze(0)
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        pe = self.encoding[:, start:end].detach()
        return self.dropout(x + pe)

# %% wrong: trained-parameter | The encoding is registered as an nn.Parameter that gets gradients; so it follows the model, but is learned and counted, although it is computed once and never learned.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        self.encoding = nn.Parameter(sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        length = x.shape[-2]
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {start + length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(torch.add(x, self.encoding.narrow(0, start, length)))

# %% wrong: annotated-start-ignored | The rows are always taken from position 0 on; start only enters the check of the length, so a piece of text that begins later is given the positions of the beginning.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(0)
        self.register_buffer("pe", pe)
    def forward(self, x, start=0):
        if start + x.size(1) > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {start + x.size(1)} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x = x + self.pe[:, : x.size(1)].requires_grad_(False)
        return self.dropout(x)

# %% wrong: functional-dropout-always-on | F.dropout is called without training=self.training, and its default is True; so values are dropped in eval mode, too.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.max_len = max_len
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        places = torch.arange(start, end, device=x.device)
        placed = x + F.embedding(places, self.table)
        return F.dropout(placed, self.p)

# %% wrong: dropout-on-positions-only | Dropout is applied to the encoding before it is added, not to the sum of embedding and encoding.
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

# %% wrong: bentrevett-scale-again-no-dropout | Two mistakes. (1) x is multiplied by the root of d_model here, although TokenEmbedding has already done that. (2) Dropout is left out of forward.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.scale = math.sqrt(d_model)
        self.register_buffer("pos_embedding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        src_len = x.shape[1]
        if start + src_len > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {start + src_len} positions, "
                f"but was made for max_len={self.max_len}"
            )
        pos = self.pos_embedding[start : start + src_len].unsqueeze(0)
        return (x * self.scale) + pos

# %% right: looked-up-by-place
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.max_len = max_len
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model)[None], persistent=False)
    def forward(self, x, start=0):
        _, length, _ = x.shape
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {start + length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        rows = self.pe.narrow(1, start, length)
        return F.dropout(x + rows, self.p, training=self.training)
