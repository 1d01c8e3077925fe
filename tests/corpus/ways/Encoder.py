# %% right: append_and_keywords
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            self.layers.append(layer)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        memory = x
        for layer in self.layers:
            memory = layer(memory, mask=mask)
        return self.norm(memory)

# %% right: reduce_over_layers
from functools import reduce


class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        if norm_first:
            self.norm = LayerNorm(d_model)
        else:
            self.norm = nn.Identity()

    def forward(self, x, mask=None):
        return self.norm(reduce(lambda y, layer: layer(y, mask), self.layers, x))


# %% right: own_reduce
from functools import reduce


class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(
                EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        return self.norm(reduce(lambda h, layer: layer(h, mask), self.layers, x))

# %% right: own_numbered_attributes
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.depth = num_layers
        self.pre = norm_first
        for i in range(num_layers):
            setattr(self, f"layer{i}", EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        if norm_first:
            self.last_norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        h = x
        for i in range(self.depth):
            h = getattr(self, f"layer{i}")(h, mask)
        return self.last_norm(h) if self.pre else h
