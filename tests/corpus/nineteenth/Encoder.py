# %% wrong: clones-are-one-layer | All entries of the list are the same EncoderLayer object, so the stack has one set of weights; each layer needs weights of its own, from a call of its own.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        def clones(module, n):
            return nn.ModuleList([module for _ in range(n)])
        layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = clones(layer, num_layers)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

# %% wrong: every-layer-reads-the-input | Every layer is given the source as it came in and not the result of the layer below, so all layers but the last do nothing for the memory.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else None
    def forward(self, src, mask=None):
        output = src
        for mod in self.layers:
            output = mod(src, mask)
        if self.norm is not None:
            output = self.norm(output)
        return output

# %% wrong: norm-after-each-layer | The stack's last norm is applied after every layer of a pre-norm stack, so the sum that runs through the stack is normalized between the layers; it belongs once, at the end.
class Encoder(nn.Module):
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
            x = self.norm(x)
        return x

# %% wrong: mask-for-the-first-layer-only | Only the first layer is given the mask, as if padding that was hidden once stayed hidden. Each layer's attention looks at all positions anew, so every layer needs the mask.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        first, *others = self.layers
        x = first(x, mask)
        for layer in others:
            x = layer(x)
        return self.norm(x)

# %% wrong: always-a-last-norm | The stack has a last LayerNorm in both arrangements, as The Annotated Transformer, torch.nn.Transformer and GPT have it; a post-norm layer ends in a norm already, so a post-norm stack must have none.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.h = nn.ModuleList(
            [
                EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
                for _ in range(num_layers)
            ]
        )
        self.ln_f = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for block in self.h:
            x = block(x, mask)
        x = self.ln_f(x)
        return x

# %% wrong: layers-stay-post-norm | norm_first is used for the last norm, but not passed on to the layers, which keep their default: a stack that should be pre-norm has post-norm layers with one more norm behind them.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = {"d_model": d_model, "num_heads": num_heads, "d_ff": d_ff, "dropout": dropout}
        self.layers = nn.ModuleList(EncoderLayer(**sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        h = x
        for layer in self.layers:
            h = layer(h, mask)
        return self.norm(h)

# %% wrong: one-layer-again-and-not-norm-first | Two mistakes. One layer is called num_layers times, so all share its weights. And the condition of the last norm is turned round: post-norm gets one, pre-norm none.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.num_hidden_layers = num_layers
        self.layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.norm = nn.Identity()
        if not norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, hidden_states, mask=None):
        for _ in range(self.num_hidden_layers):
            hidden_states = self.layer(hidden_states, mask)
        return self.norm(hidden_states)

# %% right: named-in-a-dict
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleDict()
        for number in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            self.layers[f"layer_{number}"] = layer
        self.norm = (LayerNorm if norm_first else nn.Identity)(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers.values():
            x = layer(x, mask)
        return self.norm(x)
