# %% wrong: masks_in_wrong_order | TRUE CAUSE: tgt_mask is handed to the layers before src_mask, so each attention gets the other's mask
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, src_mask)
        output = self.norm(x)
        return output


# %% wrong: x_as_memory | TRUE CAUSE: the layers are given x itself as memory, so the decoder never looks at the source
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, x, src_mask, tgt_mask)
        output = self.norm(x)
        return output


# %% wrong: encoder_layers | TRUE CAUSE: the line was copied from Encoder and still makes EncoderLayers, which do not take a memory and crash
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output


# %% wrong: never_a_norm | TRUE CAUSE: the decoder has no last norm in either arrangement, but pre-norm needs one
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for layer in range(num_layers)])
        self.norm = nn.Sequential()  # the generator comes next anyway

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory=memory, src_mask=src_mask, tgt_mask=tgt_mask)
        output = self.norm(x)
        return output


# %% wrong: source_mask_lost | TRUE CAUSE: src_mask is not handed on, so cross-attention looks at the padding of the source
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in [None] * num_layers)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask=tgt_mask)
        output = self.norm(x)
        return output


# %% wrong: memory_normed | TRUE CAUSE: the memory is sent through the decoder's last norm before the layers read it
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = [nn.Identity, lambda: LayerNorm(d_model)][int(norm_first)]()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, self.norm(memory), src_mask, tgt_mask)
        output = self.norm(x)
        return output


# %% wrong: first_memory_kept | TRUE CAUSE: two at once: the memory of the first call is kept and used in all later calls, and the number of layers is hard-coded as the 6 of the paper
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            [DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(6)]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
        self.memory = None

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if self.memory is None:  # computed once, looked at by every layer
            self.memory = memory
        for layer in self.layers:
            x = layer(x, self.memory, src_mask, tgt_mask)
        return self.norm(x)


# %% wrong: cut_between_layers | TRUE CAUSE: x is detached before each layer, so gradients reach only the last layer and not the ones below or the target's embedding
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        states = [x]
        for layer in self.layers:
            below = states[-1].detach()
            states.append(layer(below, memory, src_mask, tgt_mask))
        return self.norm(states[-1])


# %% wrong: shared_and_post_norm | TRUE CAUSE: two at once: norm_first is not handed on to the layers, and one layer is used num_layers times
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layer = DecoderLayer(d_model, num_heads, d_ff, dropout)
        self.layers = nn.ModuleList(layer for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for i in range(len(self.layers)):
            x = self.layers[i](x, memory, src_mask, tgt_mask)
        return self.norm(x)
