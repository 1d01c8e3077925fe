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
# %% right: fourteenth_own_module_dict
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.floors = nn.ModuleDict()
        for floor in range(num_layers):
            self.floors[str(floor)] = DecoderLayer(
                d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first
            )
        self.roof = nn.ModuleList([LayerNorm(d_model)] if norm_first else [])
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        masks = {"src_mask": src_mask, "tgt_mask": tgt_mask}
        for floor in self.floors.values():
            x = floor(x, memory, **masks)
        for norm in self.roof:
            x = norm(x)
        return x
# %% right: field_clones_of_one_layer
import copy
def clones(module, N):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = clones(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first), num_layers)
        self.norm = LayerNorm(d_model) if norm_first else None
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        output = x
        for mod in self.layers:
            output = mod(output, memory, src_mask=src_mask, tgt_mask=tgt_mask)
        if self.norm is not None:
            output = self.norm(output)
        return output
# %% right: field_list_comprehension_and_trg
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.layers = nn.ModuleList(
            [
                DecoderLayer(
                    d_model=d_model,
                    num_heads=num_heads,
                    d_ff=d_ff,
                    dropout=dropout,
                    norm_first=norm_first,
                )
                for _ in range(num_layers)
            ]
        )
        if self.norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        trg, enc_src = x, memory
        for layer in self.layers:
            trg = layer(trg, enc_src, src_mask, tgt_mask)
        return self.norm(trg) if self.norm_first else trg
