# %% wrong: layers_without_dropout_and_norm_first | TRUE CAUSE: the layers get only the first three sizes, so dropout and norm_first stay at their defaults in every layer
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes[:3]) for _ in range(num_layers))  # blank: encoder_layers
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)  # blank: encoder_pass
        output = self.norm(x)
        return output


# %% wrong: norm_after_every_layer | TRUE CAUSE: the last norm is applied after each layer inside the loop, and not once at the end of the stack
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = self.norm(layer(x, mask))
        return x


# %% wrong: every_layer_reads_the_embedding | TRUE CAUSE: each layer is given the stack's input instead of what the layer before returned, so only the last layer has an effect
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            memory = layer(x, mask)
        return self.norm(memory)


# %% wrong: mask_for_the_first_layer_only | TRUE CAUSE: only the first layer gets the mask, as if padding were gone after it: all others look at padding
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])  # blank: encoder_layers
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask if layer is self.layers[0] else None)  # blank: encoder_pass
        output = self.norm(x)
        return output
