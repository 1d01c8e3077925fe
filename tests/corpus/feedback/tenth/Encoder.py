# %% wrong: norm_for_post_norm | TRUE CAUSE: the condition is turned round, `not norm_first`, so the post-norm stack gets a last LayerNorm and the pre-norm stack, which needs it, does not
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

# %% wrong: mask_not_passed | TRUE CAUSE: the layers are called without the mask, so padding of the source is looked at
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
            x = layer(x)
        output = self.norm(x)
        return output

# %% wrong: own_norm_in_the_loop | TRUE CAUSE: the stack's norm stands inside the loop, so in a pre-norm stack it is applied after every layer instead of once at the end
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.stack = nn.ModuleDict(
            {
                f"layer{i}": EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
                for i in range(num_layers)
            }
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        for layer in self.stack.values():
            x = self.norm(layer(x, mask=mask))
        return x

# %% wrong: own_norm_first_of_all | TRUE CAUSE: norm_first is read as a norm before the stack, so a pre-norm stack normalizes the input x, and its output stays a sum that is not normalized
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            self.layers.append(layer)
        if norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        memory = self.norm(x) if self.norm_first else x
        for i in range(len(self.layers)):
            memory = self.layers[i](memory, mask)
        return memory
