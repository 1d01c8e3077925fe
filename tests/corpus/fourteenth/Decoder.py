# %% wrong: same_layer_repeated | The list holds one DecoderLayer num_layers times, so all layers of the stack are one object with one set of weights. Each has to be created anew.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes)] * num_layers)
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output
# %% wrong: target_mask_not_passed | The layers get memory and src_mask only; tgt_mask is never passed on. So every target position sees the padding and the future of the target.
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
            x = layer(x, memory, src_mask)
        output = self.norm(x)
        return output
# %% wrong: own_every_layer_reads_the_input | Each layer is given the stack's input x and not the result of the layer below, because the result goes to another name. Only the last layer has any effect on the output.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        parts = []
        for _ in range(num_layers):
            parts.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.parts = nn.ModuleList(parts)
        self.top_norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        decoded = x
        for part in self.parts:
            decoded = part(x, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.top_norm(decoded)
# %% wrong: own_dropout_not_passed_on | The layers are created without the dropout that the stack was given, so they always use their default of 0.1.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        def new_layer():
            return DecoderLayer(
                d_model=d_model, num_heads=num_heads, d_ff=d_ff, norm_first=norm_first
            )
        self.stack = nn.ModuleList(new_layer() for _ in range(num_layers))
        self.finish = nn.Identity() if not norm_first else LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        state = x
        for layer in self.stack:
            state = layer(state, memory, src_mask, tgt_mask)
        return self.finish(state)
