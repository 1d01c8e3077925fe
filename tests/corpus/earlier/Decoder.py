# %% wrong: one-layer-short-and-normed-inside | two mistakes: range(1, num_layers) makes one layer too few; and the last norm is applied inside the loop, after every layer, instead of once at the end (in pre-norm).
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super(Decoder, self).__init__()
        self.layers = nn.ModuleList(
            [DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(1, num_layers)]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = self.norm(layer(x, memory, src_mask, tgt_mask))
        return x
