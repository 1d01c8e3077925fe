# %% wrong: layers-in-a-dict | The layers are kept in a plain Python dict, which PyTorch does not look into: the student thinks that any attribute is found. So the layers' parameters are never trained, saved or moved, and only the stack's norm, if there is one, is found.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = {number: EncoderLayer(*sizes) for number in range(num_layers)}
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        for number in sorted(self.layers):
            x = self.layers[number](x, mask)
        return self.norm(x)

# %% wrong: annotated-always-a-norm | The stack ends in a LayerNorm in both arrangements, as The Annotated Transformer and torch.nn.Transformer have it, instead of in pre-norm only. A post-norm layer ends in a norm already ("In post-norm the paper's model has none, and neither has ours").
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            [
                EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
                for _ in range(num_layers)
            ]
        )
        self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

# %% wrong: albert-one-layer | One layer is made and run num_layers times, as in ALBERT: the student takes "the layer is repeated" to mean that the same weights are repeated. The text says "each time with weights of its own".
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.num_hidden_layers = num_layers
        albert_layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([albert_layer] * num_layers)
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for i in range(self.num_hidden_layers):
            x = self.layers[i](x, mask)
        output = self.norm(x)
        return output

# %% wrong: norm-in-the-wrong-arrangement | The last norm is made for post-norm stacks and left out of pre-norm ones: the student thinks that post-norm means "a norm at the end". A post-norm layer ends in a norm already, while a pre-norm layer ends in a sum that nothing normalizes, and so needs it.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if not norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output

# %% wrong: every-layer-reads-the-bottom | Every layer reads the stack's input instead of what the layer below has made, and only the last one's result is returned, so all other layers have no effect. In a stack each layer gathers from what the earlier ones have found.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        make = lambda: EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([make() for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        states = [x]
        states.extend(layer(x, mask) for layer in self.layers)
        return self.norm(states[-1])

# %% wrong: two-one-layer-short-and-mask-once | Two mistakes. range(1, num_layers) makes one layer too few. And only the first layer gets the mask, since the student thinks that padding hidden once stays hidden; the padding's vectors are still there, and later layers see them.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            for _ in range(1, num_layers)
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        for depth, layer in enumerate(self.layers):
            x = layer(x, mask if depth == 0 else None)
        return self.norm(x)

# %% right: recursion
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layers = [
            EncoderLayer(d_model, num_heads, d_ff, norm_first=norm_first, dropout=dropout)
            for _ in range(num_layers)
        ]
        self.layers = nn.ModuleList(layers)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        def after(count):
            if count == 0:
                return x
            return self.layers[count - 1](after(count - 1), mask)
        return self.norm(after(len(self.layers)))

# %% right: torch-style-stack
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.num_layers = num_layers
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else None
    def forward(self, x, mask=None):
        output = x
        for mod in self.layers:
            output = mod(output, mask=mask)
        if self.norm is not None:
            output = self.norm(output)
        return output
