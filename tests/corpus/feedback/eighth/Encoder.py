# %% wrong: same_layer_repeated | TRUE CAUSE: [EncoderLayer(...)] * num_layers puts one single layer num_layers times into the list, so all layers share their weights.
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes)] * num_layers)
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output


# %% wrong: last_norm_for_post_norm | TRUE CAUSE: the condition is turned round: the last norm is made for post-norm layers, which end in a norm already, and is missing for pre-norm.
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if not norm_first:  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output


# %% wrong: norm_after_every_layer | TRUE CAUSE: the stack's last norm is applied inside the loop, after every layer, instead of once at the end, so a pre-norm stack's residual stream is normalized between the layers (post-norm looks right).
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = self.norm(layer(x, mask))
        return x
