# %% wrong: always-position-0 | The newest token goes through tgt_embed as a whole, without a start, so it always gets the vector of position 0; it stands at the end, and its position, ids.size(1) - 1, has to be passed as start.
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
        x = model.tgt_embed(ids[:, -1:])
        tgt_mask = padding_mask(ids, model.pad_id)
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        return model.generator(model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: mask-of-the-newest-only | The mask is made of the newest token alone, (R, 1, 1, 1), and so says nothing about the earlier positions in the cache: padding that was written before is seen (and if the newest token is padding, everything is hidden). It has to cover all ids so far.
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
        newest = ids[:, -1:]
        tokens, positions = model.tgt_embed
        start = ids.size(1) - 1
        x = positions(tokens(newest), start)
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

# %% wrong: first-row-of-the-target-mask | Of the target mask, (R, 1, T, T), the first row of the queries is taken and not the last one. The first row sees position 0 only, so at every step the newest token sees nothing but bos_id, not even itself.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        encoded = model.encode(src, self.src_mask)
        self.memories, self.caches = [], []
        for layer in model.decoder.layers:
            self.memories.append(keys_and_values(layer.cross_attn, encoded))
            self.caches.append(KeyValueCache(max_len))
    def step(self, ids):
        tokens, positions = self.model.tgt_embed
        start = self.caches[0].length
        h = positions(tokens(ids[:, start:]), start)
        tgt_mask = target_mask(ids, self.model.pad_id)[:, :, :1]
        for number, layer in enumerate(self.model.decoder.layers):
            h = cached_layer(
                layer, h, self.caches[number], tgt_mask, self.memories[number], self.src_mask
            )
        return self.model.generator(self.model.decoder.norm(h)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: reorders-the-first-cache-only | reorder returns inside its loop, after the first cache; the caches of all other layers keep the past of the prefixes that were in the rows before. Every layer's cache has to be put in the new order.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        encoder_out = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.cross_attn, encoder_out) for layer in layers]
        self.caches = [KeyValueCache(max_len) for _ in layers]
    def step(self, ids):
        model = self.model
        tokens, positions = model.tgt_embed
        x = positions(tokens(ids[:, -1:]), ids.size(1) - 1)
        tgt_mask = padding_mask(ids, model.pad_id)
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        return model.generator(model.decoder.norm(x).squeeze(1))
    def reorder(self, new_order):
        for incremental_state in self.caches:
            incremental_state.reorder(new_order)
            return self

# %% wrong: last-norm-left-out | The vectors go from the last layer straight to the generator; the decoder's last norm, which a pre-norm stack has, is left out.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        encoded = model.encode(src, self.src_mask)
        self.parts = []
        for layer in model.decoder.layers:
            memory = keys_and_values(layer.cross_attn, encoded)
            self.parts.append((layer, KeyValueCache(max_len), memory))
    def step(self, ids):
        tokens, positions = self.model.tgt_embed
        x = positions(tokens(ids[:, -1:]), ids.size(1) - 1)
        seen = padding_mask(ids, self.model.pad_id)
        for layer, cache, memory in self.parts:
            x = cached_layer(layer, x, cache, seen, memory, self.src_mask)
        return self.model.generator(x[:, -1])
    def reorder(self, rows):
        for _, cache, _ in self.parts:
            cache.reorder(rows)

# %% wrong: one-memory-for-all-layers | The keys and values of the memory are computed once, with the cross-attention of the first layer, and used in all layers. The memory is the same for all, but each layer makes keys and values of it with its own w_k and w_v.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layers[0].cross_attn, memory)] * len(layers)
        self.caches = [KeyValueCache(max_len) for _ in layers]
    def step(self, ids):
        model = self.model
        tokens, positions = model.tgt_embed
        start = ids.size(1) - 1
        x = positions(tokens(ids[:, -1:]), start)
        tgt_mask = padding_mask(ids, model.pad_id)
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        decoded = model.decoder.norm(x)
        return model.generator(decoded[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: memory-by-self_attn-and-no-mask | Two mistakes. The keys and values of the memory are made with the self-attention's weights and not with those of cross_attn. And no target mask is passed (None), so padding that the model has written is seen, while greedy_decode hides it.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.self_attn, memory) for layer in layers]
        self.caches = [KeyValueCache(max_len) for _ in layers]
    def step(self, ids):
        model = self.model
        tokens, positions = model.tgt_embed
        start = ids.size(1) - 1
        x = positions(tokens(ids[:, start:]), start)
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, None, memory, self.src_mask)
        decoded = model.decoder.norm(x)
        return model.generator(decoded[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% right: last-row-of-the-target-mask
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        encoded = model.encode(src, self.src_mask)
        self.caches, self.memories = [], []
        for layer in model.decoder.layers:
            self.caches.append(KeyValueCache(max_len))
            self.memories.append(keys_and_values(layer.cross_attn, encoded))
    def step(self, ids):
        embed, positions = self.model.tgt_embed
        last = ids.size(1) - 1
        newest = ids.narrow(1, last, 1)
        hidden = positions(embed(newest), last)
        seen = target_mask(ids, self.model.pad_id)[:, :, -1:]
        for layer, cache, memory in zip(
            self.model.decoder.layers, self.caches, self.memories, strict=True
        ):
            hidden = cached_layer(layer, hidden, cache, seen, memory, self.src_mask)
        return self.model.generator(self.model.decoder.norm(hidden).squeeze(1))
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% right: start-from-the-cache
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.caches = [KeyValueCache(max_len) for _ in model.decoder.layers]
        self.memories = list(
            map(lambda layer: keys_and_values(layer.cross_attn, memory), model.decoder.layers)
        )
    def step(self, ids):
        model, past = self.model, self.caches[0].length
        tokens, positions = model.tgt_embed
        x = positions(tokens(ids[:, past:]), past)
        not_padding = padding_mask(ids, model.pad_id)
        for number, layer in enumerate(model.decoder.layers):
            cache, memory = self.caches[number], self.memories[number]
            x = cached_layer(layer, x, cache, not_padding, memory, self.src_mask)
        return model.generator(model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)
