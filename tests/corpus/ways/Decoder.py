# %% right: keywords_turned_round
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        options = dict(d_model=d_model, num_heads=num_heads, d_ff=d_ff)
        options.update(dropout=dropout, norm_first=norm_first)
        self.layers = nn.ModuleList([DecoderLayer(**options) for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask=tgt_mask, src_mask=src_mask)
        return self.norm(x)

# %% right: by_index
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        self.layers.extend(
            DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)
        )
        self.norm = (nn.Identity, LayerNorm)[norm_first](d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for number in range(len(self.layers)):
            x = self.layers[number](x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output
