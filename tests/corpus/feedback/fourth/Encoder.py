# %% wrong: one_layer_many_times | TRUE CAUSE: one layer object stands in the list num_layers times, so all layers share their weights
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

# %% wrong: plain_list | TRUE CAUSE: the layers stand in a plain Python list, where PyTorch does not find their parameters
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

# %% wrong: norm_for_post_norm | TRUE CAUSE: the last norm is the wrong way round: the post-norm stack gets one, the pre-norm stack none
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))  # blank: encoder_layers
        self.norm = nn.Identity()
        if not norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)  # blank: encoder_pass
        output = self.norm(x)
        return output

# %% wrong: mask_forgotten | TRUE CAUSE: the mask is not passed to the layers
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))  # blank: encoder_layers
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x)  # blank: encoder_pass
        output = self.norm(x)
        return output

# %% wrong: residual_around_the_layer | TRUE CAUSE: adds x to each layer's result, although the residual connections are within the layers
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))  # blank: encoder_layers
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = x + layer(x, mask)  # blank: encoder_pass
        output = self.norm(x)
        return output

# %% wrong: arrangement_not_passed | TRUE CAUSE: builds the layers without norm_first: they are post-norm always, while the last norm follows norm_first
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

# %% wrong: each_reads_the_input | TRUE CAUSE: every layer gets the input x and not the result of the layer before, so only the last layer counts
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
            output = layer(x, mask)
        return self.norm(output)

# %% wrong: norm_in_the_loop | TRUE CAUSE: two mistakes: there is a last norm in post-norm too, and it is applied after every layer and not at the end only
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = self.norm(layer(x, mask))
        return x
