# %% wrong: residual_around_each_layer | TRUE CAUSE: x is added again around each whole layer, although the connections inside add already (the residual stream misread)
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])  # blank: decoder_layers
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = x + layer(x, memory, src_mask, tgt_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output


# %% wrong: encoder_layers_left_from_above | TRUE CAUSE: the line was copied from the Encoder: the stack is made of EncoderLayers, which take no memory, and crash when they are called
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])  # blank: decoder_layers
        self.norm = nn.Identity()
        if norm_first:  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output


# %% wrong: norm_asked_of_itself | TRUE CAUSE: the condition asks whether self.norm is an Identity, which it always is at that place, so a post-norm stack gets a last norm, too
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])  # blank: decoder_layers
        self.norm = nn.Identity()
        if isinstance(self.norm, nn.Identity):  # blank: decoder_norm
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)  # blank: decoder_pass
        output = self.norm(x)
        return output


# %% wrong: plain_list_and_one_mask | TRUE CAUSE: two mistakes: the layers lie in a plain list, where PyTorch does not find them, and the target's mask is handed over as third argument, so that it arrives as src_mask and the masked attention gets none
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = []
        for _ in range(num_layers):
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask)
        return self.norm(x)
