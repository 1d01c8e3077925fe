# %% wrong: last_norm_after_each_layer | TRUE CAUSE: `self.norm` is applied to what leaves every layer inside the loop, not only once at the end, so in a pre-norm stack the sum is normalized between the layers.
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = self.norm(layer(x, mask))
        output = self.norm(x)
        return output

# %% wrong: norm_for_post_norm | TRUE CAUSE: the condition is turned round (`not norm_first`), so a post-norm stack gets a last LayerNorm that it does not need and a pre-norm stack gets none.
class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = nn.Identity()
        if not norm_first:  # the layers leave a sum that is not normalized yet; blank: encoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output

# %% wrong: own_every_layer_reads_the_input | TRUE CAUSE: the list comprehension gives each layer the original `x` instead of the output of the layer before, so only the last layer has an effect and the others get no gradient.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        blocks = [
            EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            for _ in range(num_layers)
        ]
        self.layers = nn.ModuleList(blocks)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        outputs = [block(x, mask) for block in self.layers]
        return self.norm(outputs[-1])

# %% wrong: own_trace_detached | TRUE CAUSE: each layer's output is detached for looking at it later, and the detached tensor is what the next layer gets, so no gradient reaches the layers before the norm (nor the input).
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.last_norm = LayerNorm(d_model) if norm_first else None
        self.trace = []

    def forward(self, x, mask=None):
        self.trace = [x]
        for layer in self.layers:
            h = layer(self.trace[-1], mask)
            self.trace.append(h.detach())
        memory = self.trace[-1]
        if self.last_norm is not None:
            memory = self.last_norm(memory)
        return memory
