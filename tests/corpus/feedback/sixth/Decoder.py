# %% wrong: masks_in_the_wrong_order | TRUE CAUSE: tgt_mask and src_mask are passed to the layer in the wrong order, so each attention gets the other's mask
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

# %% wrong: encoder_layers_copied | TRUE CAUSE: the blank was copied from the Encoder and still builds EncoderLayers, which have no cross-attention and do not take memory and two masks
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

# %% wrong: target_masked_once_only | TRUE CAUSE: only the first layer gets tgt_mask, as if the future stayed hidden after having been hidden once; all later layers look ahead
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for number, layer in enumerate(self.layers):
            if number == 0:  # hide the future before anything else
                x = layer(x, memory, src_mask, tgt_mask)
            else:
                x = layer(x, memory, src_mask)
        return self.norm(x)

