# %% wrong: plain_list | TRUE CAUSE: The layers are kept in a plain Python list, so PyTorch does not find their parameters.
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = [EncoderLayer(*sizes) for _ in range(num_layers)]
        # Pre-norm layers leave their sum as it is, so the last sum still has to be normalized.
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output

# %% wrong: norm_reversed | TRUE CAUSE: The condition for the last norm is the wrong way round: post-norm gets a LayerNorm and pre-norm gets nn.Identity.
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

# %% wrong: mask_for_first_layer_only | TRUE CAUSE: Only the first layer gets the mask; all later layers see the padding.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        if norm_first:
            self.norm = LayerNorm(d_model)
        else:
            self.norm = nn.Identity()

    def forward(self, x, mask=None):
        for number, layer in enumerate(self.layers):
            # the padding has been removed by the first layer already
            x = layer(x, mask) if number == 0 else layer(x)
        return self.norm(x)

# %% wrong: six_layers_and_norm_always | TRUE CAUSE: Two mistakes: the number of layers is fixed at 6 and num_layers is ignored; and there is a last LayerNorm in post-norm too.
class Encoder(nn.Module):
    """A stack of N = 6 identical layers."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        make_layer = lambda: EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([make_layer() for _ in range(6)])
        self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        output = x
        for layer in self.layers:
            output = layer(output, mask)
        return self.norm(output)
