# %% wrong: torch-order-of-masks | The masks are passed by position in the order of torch.nn.TransformerDecoderLayer (target mask first); DecoderLayer takes src_mask first and tgt_mask second, so each attention gets the other's mask (an error only if source and target differ in length).
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        output = x
        for mod in self.layers:
            output = mod(output, memory, tgt_mask, src_mask)
        return self.norm(output)

# %% wrong: target-mask-lost | tgt_mask isn't passed on to the layers (only memory and src_mask are bound), so in self-attention nothing is hidden: each position sees its future and the padding of the target.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        seen = {"memory": memory, "src_mask": src_mask}
        depth = 0
        while depth < len(self.layers):
            x = self.layers[depth](x, **seen)
            depth += 1
        return self.norm(x)

# %% wrong: each-layer-reads-the-embedding | Every layer gets the first x again instead of the result of the layer before, so only the last layer has an effect; they aren't stacked.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        decoded = x
        for layer in self.layers:
            decoded = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(decoded)
        return output

# %% wrong: fairseq-dropout-in-the-stack | The stack applies a dropout of its own to x before the first layer. The parts apply dropout already, and layers and stacks add none themselves.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.dropout_module = nn.Dropout(dropout)
        self.layers = nn.ModuleList([])
        self.layers.extend(
            [DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)]
        )
        self.layer_norm = LayerNorm(d_model) if norm_first else None
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.dropout_module(x)
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        if self.layer_norm is not None:
            x = self.layer_norm(x)
        return x

# %% wrong: plain-list-and-always-a-norm | Two mistakes. The layers are kept in a plain Python list, where PyTorch finds no parameters (they are neither trained nor saved nor moved). And the last LayerNorm is applied in post-norm, too, where the stack must have none.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = []
        for _ in range(num_layers):
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        state = x
        for i in range(len(self.layers)):
            state = self.layers[i](state, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.norm(state)

# %% right: torch-keywords
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        made = [
            DecoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            for _ in range(num_layers)
        ]
        self.layers = nn.Sequential(*made)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        masks = dict(tgt_mask=tgt_mask, src_mask=src_mask)
        for layer in self.layers.children():
            x = layer(x, memory, **masks)
        return self.norm(x)
