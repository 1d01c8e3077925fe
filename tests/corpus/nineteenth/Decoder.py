# %% wrong: masks-swapped | The two masks change places in the call of the layer: self-attention gets the source's mask and cross-attention the target's. That is an error if source and target differ in length; if they are equally long, the future is seen in self-attention, and the cross-attention hides a triangle.
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

# %% wrong: future-hidden-in-the-first-layer-only | Only the first layer is given the target's mask, as if what is hidden there stayed hidden. In the layers above, each position then looks at later positions and at padding; every layer needs the mask.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for depth, layer in enumerate(self.layers):
            own_mask = tgt_mask if depth == 0 else None
            x = layer(x, memory, src_mask, own_mask)
        return self.norm(x)

# %% wrong: kept-target-mask | The stack keeps the first target mask of each length and uses it again in later calls of the same length, as fairseq keeps its causal mask. The target's mask also hides padding, which differs from batch to batch, and a mask of None has to hide nothing, whatever came earlier.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList([])
        self.layers.extend(
            [
                DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
                for _ in range(num_layers)
            ]
        )
        self.layer_norm = LayerNorm(d_model) if norm_first else nn.Identity()
        self._tgt_mask = None
    def buffered_tgt_mask(self, x, tgt_mask):
        if self._tgt_mask is None or self._tgt_mask.size(-1) != x.size(1):
            self._tgt_mask = tgt_mask
        return self._tgt_mask
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        self_attn_mask = self.buffered_tgt_mask(x, tgt_mask)
        for layer in self.layers:
            x = layer(x, memory, src_mask, self_attn_mask)
        return self.layer_norm(x)

# %% wrong: memory-changed-on-the-way | In a pre-norm stack the memory, too, goes through the stack's last norm before each layer, again and again, in the belief that all that a layer reads has to be normalized. All layers look at the same memory, as it left the encoder, and none changes it.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            memory = self.norm(memory)
            x = layer(x, memory, src_mask, tgt_mask)
        return self.norm(x)

# %% wrong: no-source-mask-and-norm-in-the-loop | Two mistakes. src_mask is not passed to the layers, so every cross-attention looks at the padding of the source. And the norm stands inside the loop, so a pre-norm stack is normalized after each layer and not only at its end.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, trg, enc_src, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            trg = self.norm(layer(trg, enc_src, tgt_mask=tgt_mask))
        return trg

# %% right: recursion
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def up_to(depth):
            below = x if depth == 0 else up_to(depth - 1)
            return self.layers[depth](below, memory, src_mask, tgt_mask)
        return self.norm(up_to(len(self.layers) - 1) if len(self.layers) else x)
