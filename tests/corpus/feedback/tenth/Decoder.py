# %% wrong: masks_swapped | TRUE CAUSE: the layer is called with tgt_mask in the place of src_mask and the other way round, so self-attention sees the future and cross-attention is causal (or the shapes do not fit)
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
            x = layer(x, memory, tgt_mask, src_mask)
        output = self.norm(x)
        return output

# %% wrong: always_a_last_norm | TRUE CAUSE: the last LayerNorm is made in both arrangements as in torch.nn.Transformer, so a post-norm stack, which ends in a norm already, gets one too many
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output

# %% wrong: own_dropout_left_out | TRUE CAUSE: dropout is not passed to DecoderLayer, so the layers always use their default of 0.1 whatever the stack was given
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        make = lambda: DecoderLayer(d_model, num_heads, d_ff, norm_first=norm_first)
        self.blocks = nn.ModuleList(make() for _ in range(num_layers))
        self.final = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        h = x
        for block in self.blocks:
            h = block(h, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.final(h)

# %% wrong: own_causal_by_default | TRUE CAUSE: when tgt_mask is None a causal mask is made instead, although a mask of None has to hide nothing
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.depth = num_layers
        for i in range(num_layers):
            setattr(self, f"layer{i}", DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if tgt_mask is None:
            length = x.size(1)
            tgt_mask = torch.ones(1, 1, length, length, dtype=torch.bool, device=x.device).tril()
        for i in range(self.depth):
            x = getattr(self, f"layer{i}")(x, memory, src_mask, tgt_mask)
        return self.norm(x)
