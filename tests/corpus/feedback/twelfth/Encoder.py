# %% wrong: norm_in_both_cases | TRUE CAUSE: the condition asks whether self.norm is an Identity, which has just been set and is always true, so a post-norm stack gets a last LayerNorm, too
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if isinstance(self.norm, nn.Identity):  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output
# %% wrong: adds_each_layer | TRUE CAUSE: adds the layer's result to x although the layer contains its residual connections already, so the residual is counted twice at each layer
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = x + layer(x, mask)
        output = self.norm(x)
        return output
# %% wrong: own_dropout_left_out | TRUE CAUSE: dropout is not passed on to the layers, which therefore use their default of 0.1 whatever the stack was given
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for i in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, norm_first=norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        hidden = x
        for i in range(len(self.layers)):
            hidden = self.layers[i](hidden, mask)
        return self.norm(hidden)
# %% wrong: own_norm_after_each_layer | TRUE CAUSE: the stack's last norm stands inside the reduce step, so a pre-norm stack normalizes after every layer instead of once at the end
from functools import reduce


class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        make = lambda: EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([make() for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        return reduce(lambda h, layer: self.norm(layer(h, mask)), self.layers, x)
