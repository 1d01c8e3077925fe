# %% wrong: mask_for_first_layer_only | TRUE CAUSE: only the first layer gets the mask and the others None, as if padding hidden once stayed hidden, so from the second layer on the words look at the padding
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
            mask = None
        output = self.norm(x)
        return output

# %% wrong: norm_for_every_deep_stack | TRUE CAUSE: the condition for the last norm is num_layers > 1 instead of norm_first, so a post-norm stack of several layers gets a superfluous LayerNorm and a pre-norm stack of one layer gets none
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = nn.Identity()
        if num_layers > 1:  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output

# %% wrong: own_residual_around_layers | TRUE CAUSE: the loop adds each layer's result to its input once more (stream = stream + layer(...)), though the layers hold their residual connections already, so what came in is counted twice per layer
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.stack = nn.ModuleList()
        for _ in range(num_layers):
            self.stack.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.last = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        stream = x
        for layer in self.stack:
            stream = stream + layer(stream, mask)
        return self.last(stream)

# %% wrong: own_norm_inside_the_loop | TRUE CAUSE: the last norm is applied after each layer inside the loop instead of once at the end, so in a pre-norm stack of several layers the sum is normalized between the layers too
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        for i in range(num_layers):
            self.add_module(f"layer{i}", EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.names = [f"layer{i}" for i in range(num_layers)]
        if norm_first:
            self.final_norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for name in self.names:
            x = getattr(self, name)(x, mask)
            if self.norm_first:
                x = self.final_norm(x)
        return x
