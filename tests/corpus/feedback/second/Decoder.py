# %% wrong: mask_order | TRUE CAUSE: The two masks are handed to each layer in the wrong order (tgt_mask in the place of src_mask).
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, src_mask)
        output = self.norm(x)
        return output

# %% wrong: memory_normed | TRUE CAUSE: The memory is sent through the decoder's own last norm before each layer, so with norm_first it is normalized with the wrong norm and changed.
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in [None] * num_layers])
        self.norm = nn.Identity() if not norm_first else LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, self.norm(memory), src_mask=src_mask, tgt_mask=tgt_mask)
        output = self.norm(x)
        return output

# %% wrong: encoder_layers | TRUE CAUSE: The stack is made of EncoderLayer instead of DecoderLayer, whose forward takes no memory (crash).
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output

# %% wrong: norm_after_each_layer | TRUE CAUSE: The last norm is applied after every layer instead of once at the end, so in pre-norm the sum is normalized between the layers.
from functools import reduce


class Decoder(nn.Module):
    """Stack of decoder layers."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layers = []
        while len(layers) < num_layers:
            layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first))
        self.layers = nn.ModuleList(layers)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def one_layer(y, layer):
            return self.norm(layer(y, memory, src_mask, tgt_mask))

        return reduce(one_layer, self.layers, x)
