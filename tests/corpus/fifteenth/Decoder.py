# %% wrong: masks-in-the-other-order | the masks are given by position in the wrong order (target's first): each layer uses the target's mask on the memory and the source's mask on the target.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, src_mask)
        output = self.norm(x)
        return output

# %% wrong: future-hidden-only-once | only the first layer gets the target's mask, as if the future stayed hidden afterwards: from the second layer on each position sees those after it.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            [DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        first, *others = self.layers
        x = first(x, memory, src_mask, tgt_mask)
        for layer in others:
            x = layer(x, memory, src_mask)
        return self.norm(x)

# %% wrong: memory-detached | the memory is detached ("it is only read"): no gradient flows from the decoder into the encoder, which therefore never learns.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for i in range(num_layers):
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        memory = memory.detach()
        for i in range(len(self.layers)):
            x = self.layers[i](x, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.norm(x)

# %% wrong: one-layer-short-and-normed-inside | two mistakes: range(1, num_layers) makes one layer too few; and the last norm is applied inside the loop, after every layer, instead of once at the end (in pre-norm).
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super(Decoder, self).__init__()
        self.layers = nn.ModuleList(
            [DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(1, num_layers)]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = self.norm(layer(x, memory, src_mask, tgt_mask))
        return x

# %% right: layers-by-setattr
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super(Decoder, self).__init__()
        self.N = num_layers
        for n in range(num_layers):
            setattr(self, f"layer_{n}", DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        if norm_first:
            self.norm = LayerNorm(d_model)
        self.norm_first = norm_first
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for n in range(self.N):
            x = getattr(self, f"layer_{n}")(x, memory, tgt_mask=tgt_mask, src_mask=src_mask)
        return self.norm(x) if self.norm_first else x
