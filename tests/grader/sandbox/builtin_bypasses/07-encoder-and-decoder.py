# Torch's own layers and stacks.
# %% at the end of each answer
# %% EncoderLayer: the ready-made layer
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(
            d_model, num_heads, d_ff, dropout, norm_first=norm_first, batch_first=True)

    def forward(self, x, mask=None):
        return self.layer(x)
# %% DecoderLayer: the ready-made layer
class DecoderLayer(nn.TransformerDecoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, num_heads, d_ff, dropout, norm_first=norm_first, batch_first=True)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return super().forward(x, memory)
# %% DecoderLayer: its parts
class DecoderLayer(nn.TransformerDecoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(d_model, num_heads, d_ff, dropout, norm_first=norm_first, batch_first=True)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.norm1(x + self._sa_block(x, None, None))
        x = self.norm2(x + self._mha_block(x, memory, None, None))
        return self.norm3(x + self._ff_block(x))
# %% Encoder: the ready-made stack
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        norm = LayerNorm(d_model) if norm_first else None
        self.stack = nn.TransformerEncoder(layer, num_layers, norm)

    def forward(self, x, mask=None):
        return self.stack(x, mask)
# %% Decoder: the ready-made stack
class Decoder(nn.TransformerDecoder):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        layer = DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        super().__init__(layer, num_layers, LayerNorm(d_model) if norm_first else None)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        return x if self.norm is None else self.norm(x)
