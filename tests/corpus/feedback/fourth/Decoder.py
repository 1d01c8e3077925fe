# %% wrong: masks_exchanged | TRUE CAUSE: src_mask and tgt_mask are passed in the wrong order
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))  # blank: decoder_layers
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, src_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output

# %% wrong: source_mask_forgotten | TRUE CAUSE: only tgt_mask is passed on, so cross-attention sees padding of the source
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))  # blank: decoder_layers
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask=tgt_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output

# %% wrong: target_as_memory | TRUE CAUSE: the layers get x in place of memory: the decoder looks at itself twice and never at the source
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))  # blank: decoder_layers
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, x, src_mask, tgt_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output

# %% wrong: encoder_layers | TRUE CAUSE: built of EncoderLayer, as copied from the encoder, which takes no memory and only one mask
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))  # blank: decoder_layers
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output

# %% wrong: norm_always | TRUE CAUSE: has a last norm in post-norm as well
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))  # blank: decoder_layers
        self.norm = nn.Identity()
        if True:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output

# %% wrong: memory_normalized_again | TRUE CAUSE: puts the memory through the decoder's own last norm before the layers read it, which changes it in pre-norm
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        memory = self.norm(memory)
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        return self.norm(x)

# %% wrong: memory_overwritten | TRUE CAUSE: each layer's result becomes the memory of the next layer, so only the first layer reads the encoder
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = memory = layer(x, memory, src_mask, tgt_mask)
        return self.norm(x)

# %% wrong: shared_layer_no_norm | TRUE CAUSE: two mistakes: one layer is made and used num_layers times, and the last norm is never applied
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layer = DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([layer for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        return x
