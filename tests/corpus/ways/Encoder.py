# %% right: append_and_keywords
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(num_layers):
            layer = EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            self.layers.append(layer)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        memory = x
        for layer in self.layers:
            memory = layer(memory, mask=mask)
        return self.norm(memory)

# %% right: reduce_over_layers
from functools import reduce


class Encoder(nn.Module):
    """Pass the source through num_layers layers; the result is the decoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([EncoderLayer(*sizes) for _ in range(num_layers)])
        if norm_first:
            self.norm = LayerNorm(d_model)
        else:
            self.norm = nn.Identity()

    def forward(self, x, mask=None):
        return self.norm(reduce(lambda y, layer: layer(y, mask), self.layers, x))


# %% right: own_reduce
from functools import reduce


class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(
                EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        return self.norm(reduce(lambda h, layer: layer(h, mask), self.layers, x))

# %% right: own_numbered_attributes
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.depth = num_layers
        self.pre = norm_first
        for i in range(num_layers):
            setattr(self, f"layer{i}", EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        if norm_first:
            self.last_norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        h = x
        for i in range(self.depth):
            h = getattr(self, f"layer{i}")(h, mask)
        return self.last_norm(h) if self.pre else h


# %% right: tenth_own_reduce
from functools import reduce


class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.last = LayerNorm(d_model) if norm_first else None

    def forward(self, x, mask=None):
        top = reduce(lambda state, block: block(state, mask), self.blocks, x)
        return top if self.last is None else self.last(top)

# %% right: tenth_own_numbered_attributes
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.names = [f"layer_{i}" for i in range(num_layers)]
        for name in self.names:
            self.add_module(
                name,
                EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first),
            )
        self.norm = (LayerNorm if norm_first else nn.Identity)(d_model)

    def forward(self, x, mask=None):
        memory = x
        for name in self.names:
            memory = getattr(self, name)(memory, mask=mask)
        return self.norm(memory)


# %% right: eleventh_own_append_in_a_loop
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.stack = nn.ModuleList()
        for _ in range(num_layers):
            self.stack.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.last = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        memory = x
        for i in range(len(self.stack)):
            memory = self.stack[i](memory, mask)
        return self.last(memory)

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


# %% right: twelfth_own_reduce
from functools import reduce


class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        make = lambda: EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList([make() for _ in range(num_layers)])
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, mask=None):
        return self.norm(reduce(lambda h, layer: layer(h, mask), self.layers, x))
# %% right: twelfth_own_append_and_index
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        options = {"d_ff": d_ff, "dropout": dropout, "norm_first": norm_first}
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(EncoderLayer(d_model=d_model, num_heads=num_heads, **options))
        if not norm_first:
            self.norm = nn.Identity()
        else:
            self.norm = LayerNorm(d_model)

    def forward(self, x, mask=None):
        states = [x]
        for i in range(len(self.layers)):
            states.append(self.layers[i](states[-1], mask))
        return self.norm(states[-1])
