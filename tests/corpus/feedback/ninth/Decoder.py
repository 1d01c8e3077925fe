# %% wrong: masks_in_wrong_order | TRUE CAUSE: the masks are passed on by position in the wrong order (`layer(x, memory, tgt_mask, src_mask)`), so self-attention gets the source's mask and cross-attention the target's: an error if the lengths differ, and wrong numbers if not.
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, src_mask)
        output = self.norm(x)
        return output

# %% wrong: layers_without_norm_first | TRUE CAUSE: norm_first is left out of what the layers are given, so they are post-norm always, and with norm_first=True a last norm comes on top of that.
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output

# %% wrong: own_layers_popped | TRUE CAUSE: `todo = self.layers` is another name for the same ModuleList, and `pop(0)` takes the layers out of the module itself, so after the first call the decoder has no layers and no parameters of layers, and passes x through.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        while len(self.layers) < num_layers:
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        todo = self.layers
        while len(todo) > 0:
            layer = todo.pop(0)
            x = layer(x, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.norm(x)

# %% wrong: own_future_hidden_in_first_layer_only | TRUE CAUSE: only the first layer gets tgt_mask, as if the future (and padding) once hidden stayed hidden; the further layers attend to all target positions, so earlier positions know what comes after them.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()

        def new_layer():
            return DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)

        self.blocks = nn.Sequential(*[new_layer() for _ in range(num_layers)])
        self.top = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        first, *rest = self.blocks
        h = first(x, memory, src_mask, tgt_mask)
        for block in rest:
            h = block(h, memory, src_mask)
        return self.top(h)
