# %% wrong: one-layer-many-times | the list is multiplied, [layer] * num_layers, so it holds one layer num_layers times: all share one set of weights.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes)] * num_layers)
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output

# %% wrong: annotated-norm-always | as in the Annotated Transformer (and torch) the stack ends in a LayerNorm in both arrangements; here a post-norm stack must have none.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super(Encoder, self).__init__()
        self.layers = nn.ModuleList(
            [EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)]
        )
        self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

# %% wrong: sequential-without-mask | the layers are an nn.Sequential that is called as a whole: it takes one argument, so the mask never reaches any layer and padding is seen.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        stack = [EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)]
        if norm_first:
            stack.append(LayerNorm(d_model))
        self.stack = nn.Sequential(*stack)
    def forward(self, x, mask=None):
        return self.stack(x)

# %% wrong: returns-inside-the-loop | the return stands inside the loop: after the first layer the function ends, and the others are never used.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.final = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        for block in self.layers:
            x = block(x, mask=mask)
            return self.final(x)

# %% wrong: plain-list-of-post-norm-layers | two mistakes: the layers are in a plain Python list, so PyTorch does not find their parameters; and norm_first is not passed on to them, so they are post-norm layers even where the stack is pre-norm.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.blocks = [EncoderLayer(d_model, num_heads, d_ff, dropout) for _ in range(num_layers)]
        self.norm = LayerNorm(d_model) if norm_first else None
    def forward(self, x, mask=None):
        for block in self.blocks:
            x = block(x, mask)
        if self.norm is not None:
            x = self.norm(x)
        return x

# %% right: gpt-style-dict
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.transformer = nn.ModuleDict(dict(
            h=nn.ModuleList([EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first) for _ in range(num_layers)]),
        ))
        if norm_first:
            self.transformer["ln_f"] = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for block in self.transformer.h:
            x = block(x, mask)
        if "ln_f" in self.transformer:
            x = self.transformer["ln_f"](x)
        return x
