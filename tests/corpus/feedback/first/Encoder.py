# %% wrong: one_layer_repeated | TRUE CAUSE: the list repeats one layer num_layers times instead of making a new one each time, so all layers share their weights
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes)] * num_layers)
        # Pre-norm layers leave their sum as it is, so the last sum still has to be normalized.
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output


# %% wrong: norm_always | TRUE CAUSE: the last norm is made in both arrangements, but post-norm needs none
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        # Pre-norm layers leave their sum as it is, so the last sum still has to be normalized.
        self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output


# %% wrong: star_forgotten | TRUE CAUSE: sizes is handed over as one tuple without the star, so EncoderLayer lacks its other arguments and crashes
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(sizes) for _ in range(num_layers)])
        # Pre-norm layers leave their sum as it is, so the last sum still has to be normalized.
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output


# %% wrong: norm_for_the_other | TRUE CAUSE: the condition is turned around, so post-norm gets the last norm and pre-norm has none
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(map(lambda _: EncoderLayer(*sizes), range(num_layers)))
        # Pre-norm layers leave their sum as it is, so the last sum still has to be normalized.
        self.norm = (LayerNorm(d_model), nn.Identity())[norm_first]

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask=mask)
        output = self.norm(x)
        return output


# %% wrong: plain_list | TRUE CAUSE: the layers are kept in a plain Python list, where PyTorch finds no parameters
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = list(EncoderLayer(*sizes) for _ in range(num_layers))
        # Pre-norm layers leave their sum as it is, so the last sum still has to be normalized.
        self.norm = nn.Identity() if not norm_first else LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer.forward(x, mask)
        output = self.norm(x)
        return output


# %% wrong: mask_for_the_first_only | TRUE CAUSE: the mask is set to None after the first layer, so the later layers look at the padding
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        # Pre-norm layers leave their sum as it is, so the last sum still has to be normalized.
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask if layer is self.layers[0] else None)  # hidden once is enough
        output = self.norm(x)
        return output


# %% wrong: each_reads_the_source | TRUE CAUSE: every layer is given the original x instead of what the layer before it returned, so only the last layer counts
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        output = x
        for layer in self.layers:
            output = layer(x, mask)
        return self.norm(output)


# %% wrong: norm_after_each | TRUE CAUSE: two at once: the last norm is applied after every layer instead of once at the end, and the stack drops from its input by itself, although only the parts are to drop
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        make = lambda: EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([make() for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        x = self.dropout(x)
        for layer in self.layers:
            x = self.norm(layer(x, mask))
        return x


# %% wrong: one_less_default_dropout | TRUE CAUSE: two at once: range(1, num_layers) makes one layer too few, and dropout is not handed on to the layers
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layers = []
        for _ in range(1, num_layers):
            layers.append(EncoderLayer(d_model, num_heads, d_ff, norm_first=norm_first))
        self.layers = nn.ModuleList(layers)
        if norm_first:
            self.norm = LayerNorm(d_model)
        else:
            self.norm = nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
