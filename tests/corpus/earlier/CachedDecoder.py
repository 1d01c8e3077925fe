# %% wrong: one-cache-for-all-layers | [KeyValueCache(max_len)] * number of layers is one cache, many times: all layers write their keys and values into the same one, behind those of the other layers.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in layers]
        self.caches = [KeyValueCache(max_len)] * len(layers)
    def step(self, ids):
        model = self.model
        tokens, positions = model.tgt_embed
        start = ids.size(1) - 1
        x = positions(tokens(ids[:, -1:]), start)
        tgt_mask = padding_mask(ids, model.pad_id)
        for layer, cache, memory in zip(model.decoder.layers, self.caches, self.memories):
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        return model.generator(model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)
