# %% wrong: last_norm_before_every_layer | The pass sends self.norm(x) into each layer, so in a pre-norm stack the last norm is also applied between the layers and the residual sum is normalized on the way.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(self.norm(x), mask)
        output = self.norm(x)
        return output
# %% wrong: own_all_registered_under_one_name | Every layer is registered with add_module under the same name "layer", so each replaces the one before and PyTorch finds only the last; the plain list that forward uses is not searched.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.in_order = []
        for _ in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            self.add_module("layer", layer)
            self.in_order.append(layer)
        self.last = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        vectors = x
        for layer in self.in_order:
            vectors = layer(vectors, mask)
        return self.last(vectors)
