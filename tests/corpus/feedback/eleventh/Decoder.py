# %% wrong: source_mask_not_passed | TRUE CAUSE: the pass through the layers hands on tgt_mask only, so src_mask is dropped and the cross-attention looks at the padding of the source
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
            x = layer(x, memory, tgt_mask=tgt_mask)
        output = self.norm(x)
        return output

# %% wrong: one_layer_many_times | TRUE CAUSE: the list with one DecoderLayer is multiplied by num_layers, so all places of the stack are the same object and share one set of weights
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(num_layers * [DecoderLayer(*sizes)])
        self.norm = nn.Identity()
        if norm_first is True:
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output

# %% wrong: own_memory_normalized_too | TRUE CAUSE: the stack's last norm is applied to the memory as well before the layers read it, so in a pre-norm stack the cross-attention sees a memory that was changed (post-norm has Identity there and is right)
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        make = lambda: DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.blocks = nn.ModuleList([make() for _ in range(num_layers)])
        self.normalize = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        source = self.normalize(memory)
        for block in self.blocks:
            x = block(x, source, src_mask, tgt_mask)
        return self.normalize(x)

# %% wrong: own_last_layer_left_out | TRUE CAUSE: the layers are numbered from 1 to num_layers, but the loop in forward runs over range(1, num_layers), so the last layer is never used and gets no gradient
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.num_layers = num_layers
        self.layers = nn.ModuleDict()
        for number in range(1, num_layers + 1):
            self.layers[str(number)] = DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.norm = LayerNorm(d_model) if norm_first else None

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for number in range(1, self.num_layers):
            x = self.layers[str(number)](x, memory, src_mask, tgt_mask)
        return x if self.norm is None else self.norm(x)
