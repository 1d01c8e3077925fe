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


# %% right: own_recursive
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()

        def new_layer():
            return DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)

        self.blocks = nn.Sequential(*[new_layer() for _ in range(num_layers)])
        self.top = LayerNorm(d_model) if norm_first else nn.Identity()

    def climb(self, level, h, memory, src_mask, tgt_mask):
        if level == len(self.blocks):
            return self.top(h)
        h = self.blocks[level](h, memory, src_mask, tgt_mask)
        return self.climb(level + 1, h, memory, src_mask, tgt_mask)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return self.climb(0, x, memory, src_mask, tgt_mask)

# %% right: own_keywords_and_queue
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        while len(self.layers) < num_layers:
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else None

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        masks = dict(src_mask=src_mask, tgt_mask=tgt_mask)
        todo = list(self.layers)
        while todo:
            x = todo.pop(0)(x, memory, **masks)
        return x if self.norm is None else self.norm(x)


# %% right: tenth_own_module_dict
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        floors = {}
        for i in range(num_layers):
            floors[f"floor{i}"] = DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
        self.floors = nn.ModuleDict(floors)
        self.roof = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for floor in self.floors.values():
            x = floor(x, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.roof(x)

# %% right: tenth_own_recursion
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.stack = nn.ModuleList(
            [
                DecoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
                for _ in range(num_layers)
            ]
        )
        if norm_first:
            self.finish = LayerNorm(d_model)
        self.norm_first = norm_first

    def climb(self, i, x, *rest):
        if i == len(self.stack):
            return x
        return self.climb(i + 1, self.stack[i](x, *rest), *rest)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.climb(0, x, memory, src_mask, tgt_mask)
        if self.norm_first:
            x = self.finish(x)
        return x


# %% right: eleventh_own_numbered_modules
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.depth = num_layers
        for number in range(1, num_layers + 1):
            layer = DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            self.add_module(f"layer{number}", layer)
        self.last = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        written = x
        for number in range(1, self.depth + 1):
            layer = getattr(self, f"layer{number}")
            written = layer(written, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.last(written)

# %% right: eleventh_own_reduce
from functools import reduce


class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        blocks = [
            DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first) for _ in range(num_layers)
        ]
        self.blocks = nn.ModuleList(blocks)
        self.finish = nn.Sequential(*([LayerNorm(d_model)] if norm_first else []))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        top = reduce(lambda y, block: block(y, memory, src_mask, tgt_mask), self.blocks, x)
        return self.finish(top)


# %% right: twelfth_own_while_blocks
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        blocks = []
        while len(blocks) < num_layers:
            blocks.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.layers = nn.ModuleList(blocks)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        target = x
        for block in self.layers:
            target = block(target, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.norm(target)
# %% right: twelfth_own_recursion
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        self.layers.extend(
            DecoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
            for _ in range(num_layers)
        )
        last = {True: LayerNorm, False: nn.Identity}[bool(norm_first)]
        self.norm = last(d_model)

    def climb(self, floor, x, context):
        if floor == len(self.layers):
            return x
        return self.climb(floor + 1, self.layers[floor](x, *context), context)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return self.norm(self.climb(0, x, (memory, src_mask, tgt_mask)))
