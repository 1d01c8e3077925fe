# %% wrong: sequential-of-one-layer | Two mistakes. The list holds one EncoderLayer num_layers times, a single object, so all layers share one set of weights. And the stack is run as an nn.Sequential, which passes one tensor on, so the mask never reaches the layers and padding can be seen.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.Sequential(*[layer] * num_layers)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        x = self.layers(x)
        return self.norm(x)

# %% wrong: python-list | The layers are kept in a Python list. PyTorch looks only into its own containers, so it finds none of them: they are not in parameters() or state_dict(), and never trained, saved or moved, nor put into eval mode. It takes an nn.ModuleList.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = []
        for _ in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            self.layers.append(layer)
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        output = x
        for layer in self.layers:
            output = layer(output, mask)
        return self.norm(output)

# %% wrong: annotated-norm-always | The stack has a last LayerNorm in both arrangements, as The Annotated Transformer and torch.nn.Transformer have. A post-norm layer ends in a norm already, so in post-norm nn.Identity belongs there; only pre-norm needs the last norm.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        def build():
            return EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([build() for _ in range(num_layers)])
        self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

# %% wrong: dropout-not-passed | The layers are made without the dropout that the stack was given, so they drop with their default of 0.1, whatever was asked for (0 included). The fine print says that dropout is passed on to every part.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(d_model, num_heads, d_ff, norm_first=norm_first)
            for _ in range(num_layers)
        )
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask=mask)
        output = self.norm(x)
        return output

# %% wrong: norm-after-every-layer | The last norm of the pre-norm stack stands inside the loop, so it normalizes after every layer and replaces the residual stream each time. A pre-norm stack has one norm, at its end.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = dict(d_model=d_model, num_heads=num_heads, d_ff=d_ff)
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(**sizes, dropout=dropout, norm_first=norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = self.norm(layer(x, mask))
        return x

# %% right: chosen-by-index
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = (nn.Identity, LayerNorm)[bool(norm_first)](d_model)
        self.layers = nn.ModuleList()
        while len(self.layers) < num_layers:
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
    def forward(self, x, mask=None):
        depth = 0
        while depth < len(self.layers):
            x = self.layers[depth](x, mask)
            depth += 1
        return self.norm(x)

# %% right: norm-or-none
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            [
                EncoderLayer(
                    d_model=d_model,
                    num_heads=num_heads,
                    d_ff=d_ff,
                    dropout=dropout,
                    norm_first=norm_first,
                )
                for _ in range(num_layers)
            ]
        )
        self.layer_norm = LayerNorm(d_model) if norm_first else None
    def forward(self, x, mask=None):
        states = [x]
        for layer in self.layers:
            states.append(layer(states[-1], mask))
        last = states[-1]
        return last if self.layer_norm is None else self.layer_norm(last)
