# %% wrong: tutorial-time-first | The length and the rows are taken as in PyTorch's tutorial, which is time first: rows 0 to N stand along axis 0, so every word of a sentence gets the vector of its sentence's place in the batch, and none that of its own place.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        self.max_len = max_len
        pe = sinusoidal_encoding(max_len, d_model).unsqueeze(1)
        self.register_buffer("pe", pe)
    def forward(self, x, start=0):
        end = start + x.size(0)
        if start + x.size(1) > self.max_len:
            raise ValueError(f"{start + x.size(1)} positions, but max_len={self.max_len}")
        x = x + self.pe[start:end]
        return self.dropout(x)

# %% wrong: dropout-on-positions | Dropout acts on the encoding alone before it is added; section 5.4 applies it to the sums.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model)[None], False)
    def forward(self, x, start=0):
        last = start + x.size(1)
        if last > self.max_len:
            raise ValueError(f"got {last} positions, made for max_len={self.max_len}")
        here = self.table[:, start:last].expand_as(x)
        return x + self.dropout(here)

# %% wrong: tensorflow-scale-again | The vectors are multiplied by the root of d_model here as well, as in tutorials where one layer embeds and adds positions; TokenEmbedding has already scaled them, and this module only adds.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pos_encoding", sinusoidal_encoding(max_len, d_model).unsqueeze(0))
    def forward(self, x, start=0):
        seq_len = x.size(1)
        if start + seq_len > self.max_len:
            raise ValueError(f"sequence of {start + seq_len} is longer than {self.max_len}")
        x = x * math.sqrt(self.d_model)
        x = x + self.pos_encoding[:, start : start + seq_len, :]
        return self.dropout(x)

# %% wrong: wraps-around | Two mistakes. Positions past max_len begin again at 0 by a modulo, where a ValueError is demanded; and dropout is F.dropout without its training flag, so numbers are dropped in eval mode, too.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.max_len = max_len
        self.register_buffer("waves", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        places = torch.arange(start, start + x.size(1), device=x.device) % self.max_len
        return F.dropout(x + self.waves[places], self.p)

# %% right: rates-in-a-buffer
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.d_model = d_model
        self.max_len = max_len
        self.dropout = nn.Dropout(dropout)
        even = torch.arange(0, d_model, 2).float()
        self.register_buffer("inv_freq", 10000.0 ** (-even / d_model), persistent=False)
    def forward(self, x, start=0):
        stop = start + x.size(1)
        if stop > self.max_len:
            raise ValueError(f"{stop} positions, but at most {self.max_len}")
        places = torch.arange(start, stop, device=x.device).type_as(self.inv_freq)
        angle = torch.outer(places, self.inv_freq)
        waves = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)
        return self.dropout(x + waves[:, : self.d_model])

# %% right: frozen-lookup
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))
        self.drop_p = dropout
        self.max_len = max_len
    def forward(self, x, start=0):
        ids = torch.arange(x.size(1), device=x.device) + start
        if start + x.size(1) > self.pe.size(1):
            raise ValueError(f"only {self.max_len} positions are known")
        summed = x + F.embedding(ids, self.pe[0])
        return F.dropout(summed, p=self.drop_p, training=self.training)
