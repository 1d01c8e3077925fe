# %% wrong: one-layer-num-layers-times | One EncoderLayer is made before the loop and put num_layers times into the list, so all places share one set of weights; each layer has to be created anew.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(layer for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output

# %% wrong: annotated-always-a-last-norm | The stack has a last LayerNorm in both cases, as the Annotated Transformer and torch.nn.Transformer have it. A post-norm stack ends in a norm already and must have none here (nn.Identity), only a pre-norm stack gets one.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        def make():
            return EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([make() for _ in range(num_layers)])
        self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

# %% wrong: sequential-loses-the-mask | The layers stand in an nn.Sequential that is called with x alone, which passes on one tensor only; the mask never reaches the layers, so padding is seen.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.Sequential(*[EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        return self.norm(self.layers(x))

# %% wrong: norm-inside-the-loop | The last norm is applied after every layer, inside the loop, instead of once after the last one; in pre-norm this normalizes the stream between the layers, which should run through unchanged.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(*sizes))
        self.norm = nn.Identity() if not norm_first else LayerNorm(d_model)
    def forward(self, x, mask=None):
        for encoder_layer in self.layers:
            x = encoder_layer(x, mask)
            x = self.norm(x)
        return x

# %% wrong: bentrevett-norm-first-not-passed-on | norm_first decides about the last norm but isn't passed on to the layers, so they keep their default, post-norm, also in a stack that should be pre-norm.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            [
                EncoderLayer(d_model, num_heads, d_ff, dropout)
                for _ in range(num_layers)
            ]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        src = x
        for layer in self.layers:
            src = layer(src, mask)
        return self.norm(src)

# %% right: fairseq-optional-norm
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList([])
        self.layers.extend(
            [self.build_layer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)]
        )
        self.layer_norm = LayerNorm(d_model) if norm_first else None
    def build_layer(self, *sizes):
        return EncoderLayer(*sizes)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        if self.layer_norm is not None:
            x = self.layer_norm(x)
        return x

# %% right: named-layers
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.num_layers = num_layers
        for place in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            self.add_module(f"layer_{place}", layer)
        last = [LayerNorm(d_model)] if norm_first else []
        self.norm = nn.Sequential(*last)
    def forward(self, x, mask=None):
        passed = x
        for place in range(self.num_layers):
            passed = getattr(self, f"layer_{place}")(passed, mask=mask)
        return self.norm(passed)
