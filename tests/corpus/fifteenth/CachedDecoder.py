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

# %% wrong: mask-of-the-newest-alone | The mask is made of the newest token only, (R, 1, 1, 1), and is broadcast over all keys: padding that was written before is not hidden, and where the newest token is padding, everything is.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in layers]
        self.caches = [KeyValueCache(max_len) for _ in layers]
    def step(self, ids):
        model = self.model
        tokens, positions = model.tgt_embed
        newest = ids[:, -1:]
        x = positions(tokens(newest), ids.size(1) - 1)
        tgt_mask = padding_mask(newest, model.pad_id)
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        decoded = model.decoder.norm(x)
        log_probs = model.generator(decoded[:, -1])
        return log_probs
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: position-one-too-far | The newest token is placed at ids.size(1) and not at ids.size(1) - 1: positions count from 0, so every token stands one position too far.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in layers]
        self.caches = [KeyValueCache(max_len) for _ in layers]
    def step(self, ids):
        model = self.model
        tokens, positions = model.tgt_embed
        start = ids.size(1)
        x = positions(tokens(ids[:, -1:]), start)
        tgt_mask = padding_mask(ids, model.pad_id)
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        decoded = model.decoder.norm(x)
        log_probs = model.generator(decoded[:, -1])
        return log_probs
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: source-read-at-each-step | The source is encoded, and keys and values of the memory are computed, in step: it is read again for every token, although it should be read once.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model, self.src = model, src
        self.caches = [KeyValueCache(max_len) for _ in model.decoder.layers]
    def step(self, ids):
        model = self.model
        src_mask = padding_mask(self.src, model.pad_id)
        memory = model.encode(self.src, src_mask)
        embed, place = model.tgt_embed
        x = place(embed(ids[:, -1:]), ids.size(1) - 1)
        seen = padding_mask(ids, model.pad_id)
        for layer, cache in zip(model.decoder.layers, self.caches):
            looked_at = keys_and_values(layer.cross_attn, memory)
            x = cached_layer(layer, x, cache, seen, looked_at, src_mask)
        return model.generator(model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: no-last-norm-one-reorder | Two mistakes: decoder.norm is left out before the generator, so a pre-norm model's sum goes to the projection without its last norm; and only the first layer's cache is reordered, so in a beam the other layers keep the past of another prefix.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.layers = []
        for layer in model.decoder.layers:
            cross = keys_and_values(layer.cross_attn, memory)
            self.layers.append((layer, KeyValueCache(max_len), cross))
    @property
    def caches(self):
        return [cache for _, cache, _ in self.layers]
    def step(self, ids):
        tokens, positions = self.model.tgt_embed
        x = positions(tokens(ids[:, -1:]), start=ids.size(1) - 1)
        mask = padding_mask(ids, self.model.pad_id)
        for layer, cache, cross in self.layers:
            x = cached_layer(layer, x, cache, mask, cross, self.src_mask)
        return self.model.generator(x.squeeze(1))
    def reorder(self, rows):
        for _, cache, _ in self.layers:
            return cache.reorder(rows)

# %% right: start-from-the-cache
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model, self.src_mask = model, padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.memories, self.caches = [], []
        for layer in model.decoder.layers:
            self.memories.append(keys_and_values(layer.cross_attn, memory))
            self.caches.append(KeyValueCache(max_len))
    def step(self, ids):
        past_length = self.caches[0].length
        embed, encode_position = self.model.tgt_embed[0], self.model.tgt_embed[1]
        hidden = encode_position(embed(ids[:, past_length:]), past_length)
        attention_mask = padding_mask(ids, self.model.pad_id)
        for i, layer in enumerate(self.model.decoder.layers):
            hidden = cached_layer(
                layer,
                hidden,
                cache=self.caches[i],
                mask=attention_mask,
                memory=self.memories[i],
                memory_mask=self.src_mask,
            )
        return self.model.generator(self.model.decoder.norm(hidden))[:, -1]
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)
