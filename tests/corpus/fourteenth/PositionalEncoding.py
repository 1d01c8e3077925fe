# %% wrong: time_is_axis_0 | The module takes x for time first, (T, N, D): it counts axis 0 as the length and adds row n to every word of sentence n, so all words of a sentence get the same encoding.
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
        encoding = self.encoding[start : start + length].unsqueeze(1)
        output = self.dropout(x + encoding)
        return output
# %% wrong: dropout_on_the_positions_only | Dropout is applied to the encoding alone before the sum; section 5.4 applies it to the sum of embedding and encoding, so x itself is never dropped here.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        encoding = sinusoidal_encoding(max_len, d_model)  # (max_len, D)
        self.register_buffer("encoding", encoding)
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        encoding = self.encoding[start : start + length]  # (T, D), the same for the whole batch
        output = x + self.dropout(encoding)
        return output
# %% wrong: own_plain_attribute | The encoding is stored as a plain attribute instead of with register_buffer, so it does not follow the module to another device, where the sum then fails.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.waves = sinusoidal_encoding(max_len, d_model).unsqueeze(0)  # (1, max_len, D)
    def forward(self, x, start=0):
        length = x.shape[-2]
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.waves[:, start : start + length].to(x.dtype))
# %% wrong: own_added_into_x | `x += ...` adds the encoding into the caller's tensor: x is changed in place, so a second call on the same x adds the positions twice.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("waves", sinusoidal_encoding(max_len, d_model), persistent=False)
    def forward(self, x, start=0):
        _, length, _ = x.shape
        if start + length > self.max_len:
            raise ValueError(
                f"PositionalEncoding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        x += self.waves.narrow(0, start, length)
        return self.dropout(x)
