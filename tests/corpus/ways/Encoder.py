# %% right: eleventh_own_recursion_over_names
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        options = dict(dropout=dropout, norm_first=norm_first)
        self.layers = nn.ModuleDict(
            {f"floor_{i}": EncoderLayer(d_model, num_heads, d_ff, **options) for i in range(num_layers)}
        )
        self.norm = (nn.Identity, lambda: LayerNorm(d_model))[bool(norm_first)]()
    def climb(self, x, mask, floors):
        if not floors:
            return self.norm(x)
        return self.climb(floors[0](x, mask), mask, floors[1:])
    def forward(self, x, mask=None):
        return self.climb(x, mask, list(self.layers.values()))
# %% right: fourteenth_own_numbered_attributes
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.num_layers = num_layers
        for number in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            self.add_module(f"layer_{number}", layer)
        self.final = LayerNorm(d_model) if norm_first else None
    def climb(self, x, mask, number):
        if number == self.num_layers:
            return x
        above = getattr(self, f"layer_{number}")(x, mask)
        return self.climb(above, mask, number + 1)
    def forward(self, x, mask=None):
        top = self.climb(x, mask, 0)
        return top if self.final is None else self.final(top)
# %% right: field_clones_of_one_layer
import copy
def clones(module, N):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = clones(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first), num_layers)
        self.norm = LayerNorm(d_model) if norm_first else None
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        if self.norm is not None:
            x = self.norm(x)
        return x
# %% right: field_blocks_in_a_sequential
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.blks = nn.Sequential()
        for i in range(num_layers):
            self.blks.add_module(
                "block" + str(i), EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            )
        self.ln = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        for blk in self.blks:
            x = blk(x, mask)
        return self.ln(x)
