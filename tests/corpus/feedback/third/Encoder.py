# %% wrong: one_layer_repeated | TRUE CAUSE: [layer] * num_layers is one layer in many places: all layers share one set of weights
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes)] * num_layers)  # blank: encoder_layers
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)  # blank: encoder_pass
        output = self.norm(x)
        return output

# %% wrong: norm_for_post_norm | TRUE CAUSE: the condition is the wrong way round: the last norm is added for post-norm, which ends in a norm already, and missing for pre-norm
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if not norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)  # blank: encoder_pass
        output = self.norm(x)
        return output

# %% wrong: mask_not_passed | TRUE CAUSE: the layers are called without the mask
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x)  # blank: encoder_pass
        output = self.norm(x)
        return output

# %% wrong: plain_list | TRUE CAUSE: the layers are kept in a plain list, so PyTorch finds none of their parameters
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = [EncoderLayer(*sizes) for _ in range(num_layers)]  # blank: encoder_layers
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)  # blank: encoder_pass
        output = self.norm(x)
        return output

# %% wrong: every_layer_reads_the_input | TRUE CAUSE: each layer gets the original x instead of what the layer before made, so only the last layer counts
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            memory = layer(x, mask)
        return self.norm(memory)

# %% wrong: norm_after_each_layer | TRUE CAUSE: the last norm stands inside the loop: with pre-norm it is applied after every layer instead of once at the end
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
            x = self.norm(x)
        return x

# %% wrong: always_a_last_norm | TRUE CAUSE: there is always a last LayerNorm, as in torch.nn.Transformer, even with post-norm, where none belongs
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

# %% wrong: options_lost_and_mask_once | TRUE CAUSE: two mistakes: dropout and norm_first are not passed to the layers, which keep their defaults, and only the first layer gets the mask
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(d_model, num_heads, d_ff) for _ in range(num_layers)
        )
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        first, *others = self.layers
        x = first(x, mask)
        for layer in others:
            x = layer(x)
        return self.norm(x)
