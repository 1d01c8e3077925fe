# %% wrong: every-layer-from-the-bottom | Each layer is given the x from the bottom and not what the layer below it has returned, so all but the last layer compute for nothing and the stack is one layer deep.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        outputs = [layer(x, memory, src_mask, tgt_mask) for layer in self.layers]
        return self.norm(outputs[-1])

# %% wrong: memory-normed-by-the-stack | The memory is sent through the decoder's last norm before the layers read it. It is the encoder's output, which the encoder's own last norm has normalized, and nothing in the decoder changes it; self.norm is for the decoder's x alone, after the last layer (in pre-norm the numbers come out wrong).
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        memory = self.norm(memory)
        for layer in self.layers:
            x = layer(x, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.norm(x)

# %% wrong: torch-order-of-masks | The layers are called in the order of torch.nn's decoder, tgt_mask before the memory's mask, but DecoderLayer takes src_mask first. So self-attention gets the source's padding mask (and may see the future) and cross-attention the causal one. It runs where source and target are equally long or one mask broadcasts; else it raises.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            [
                DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
                for _ in range(num_layers)
            ]
        )
        self.num_layers = num_layers
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        output = x
        for mod in self.layers:
            output = mod(output, memory, tgt_mask, src_mask)
        output = self.norm(output)
        return output

# %% wrong: future-hidden-in-the-first-layer-only | Only the first layer gets tgt_mask, as if what is hidden once stayed hidden. In every further layer each position may look at all others, the later ones and the padding among them, so the future leaks in; every layer needs both masks.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        first, *others = self.layers
        x = first(x, memory, src_mask, tgt_mask)
        for layer in others:
            x = layer(x, memory, src_mask)
        output = self.norm(x)
        return output

# %% wrong: last-norm-not-applied | The last norm is made in __init__ but never called: forward returns x as it leaves the last layer. In pre-norm that is a sum that nothing has normalized.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x=x, memory=memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return x

# %% right: bottom-up-by-recursion
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        options = dict(dropout=dropout, norm_first=norm_first)
        self.layers = nn.ModuleList(
            [DecoderLayer(d_model, num_heads, d_ff, **options) for _ in range(num_layers)]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        masks = {"src_mask": src_mask, "tgt_mask": tgt_mask}
        def reach(depth):
            if depth == 0:
                return x
            return self.layers[depth - 1](reach(depth - 1), memory, **masks)
        return self.norm(reach(len(self.layers)))
