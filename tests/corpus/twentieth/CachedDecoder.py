# %% wrong: counter-raised-too-early | The position is counted by a counter that is raised before it is used, so <bos> gets position 1 and each token the position of the next one; the newest of `length` ids stands at length - 1.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.stack = [
            (layer, KeyValueCache(max_len), keys_and_values(layer.cross_attn, memory))
            for layer in model.decoder.layers
        ]
        self.position = 0
    def step(self, ids):
        tokens, positions = self.model.tgt_embed
        self.position += 1
        x = positions(tokens(ids[:, -1:]), self.position)
        seen = padding_mask(ids, self.model.pad_id)
        for layer, cache, memory in self.stack:
            x = cached_layer(layer, x, cache, seen, memory, self.src_mask)
        x = self.model.decoder.norm(x)
        return self.model.generator(x[:, -1])
    def reorder(self, rows):
        for _, cache, _ in self.stack:
            cache.reorder(rows)

# %% wrong: mask-of-the-newest-only | The padding mask is made from the newest token alone, (R, 1, 1, 1), and is broadcast over all positions in the cache: padding that was written earlier is seen, and if the newest is padding, everything is hidden. The mask has to cover all ids so far.
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

# %% wrong: one-memory-for-all-layers | The keys and values of the memory are computed once with the first layer's cross-attention and used in all layers; each layer has a w_k and w_v of its own, so each needs its own.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        encoded = model.encode(src, self.src_mask)
        self.memory = keys_and_values(model.decoder.layers[0].cross_attn, encoded)
        self.caches = {number: KeyValueCache(max_len) for number in range(len(model.decoder.layers))}
    def step(self, ids):
        tokens, positions = self.model.tgt_embed
        x = positions(tokens(ids[:, -1].unsqueeze(1)), ids.shape[1] - 1)
        visible = padding_mask(ids, self.model.pad_id)
        for number, layer in enumerate(self.model.decoder.layers):
            cache = self.caches[number]
            x = cached_layer(layer, x, cache, visible, self.memory, self.src_mask)
        return self.model.generator(self.model.decoder.norm(x)[:, 0])
    def reorder(self, rows):
        for cache in self.caches.values():
            cache.reorder(rows)

# %% wrong: without-the-last-norm | The last norm of the decoder's stack is left out (only the layers are run), so in a pre-norm model the generator gets a sum that isn't normalized. (In post-norm it is the identity.)
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.memories, self.caches = [], []
        for layer in model.decoder.layers:
            self.memories.append(keys_and_values(layer.cross_attn, memory))
            self.caches.append(KeyValueCache(max_len))
    def step(self, ids):
        embed, add_positions = self.model.tgt_embed
        x = add_positions(embed(ids[:, -1:]), ids.size(1) - 1)
        mask = padding_mask(ids, self.model.pad_id)
        for i, layer in enumerate(self.model.decoder.layers):
            x = cached_layer(layer, x, self.caches[i], mask, self.memories[i], self.src_mask)
        return self.model.generator(x.squeeze(1))
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: kept-mask-is-not-reordered | The padding mask is kept and grown by a place at each step, but reorder gives new rows to the caches only: after a beam's prefixes have changed places, a row hides the padding of another prefix. (Greedy decoding doesn't show it.)
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in layers]
        self.caches = [KeyValueCache(max_len) for _ in layers]
        self.visible = None
    def step(self, ids):
        newest = ids[:, -1:]
        here = padding_mask(newest, self.model.pad_id)
        past = [] if self.visible is None else [self.visible]
        self.visible = torch.cat(past + [here], dim=-1)
        tokens, positions = self.model.tgt_embed
        x = positions(tokens(newest), self.visible.size(-1) - 1)
        for layer, cache, memory in zip(self.model.decoder.layers, self.caches, self.memories):
            x = cached_layer(layer, x, cache, self.visible, memory, self.src_mask)
        return self.model.generator(self.model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: hf-position-0-and-source-padding-seen | Two mistakes. The position isn't passed, so the newest token always counts as standing at position 0 (start must be length - 1). And src_mask isn't passed to the layers, so the cross-attention sees the padding of the source.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        encoder_attention_mask = padding_mask(src, model.pad_id)
        encoder_hidden_states = model.encode(src, encoder_attention_mask)
        self.cross_cache = [
            keys_and_values(layer.cross_attn, encoder_hidden_states)
            for layer in model.decoder.layers
        ]
        self.past_key_values = [KeyValueCache(max_len) for _ in model.decoder.layers]
    def step(self, input_ids):
        attention_mask = padding_mask(input_ids, self.model.pad_id)
        hidden_states = self.model.tgt_embed(input_ids[:, -1:])
        for layer, past, cross in zip(
            self.model.decoder.layers, self.past_key_values, self.cross_cache
        ):
            hidden_states = cached_layer(layer, hidden_states, past, attention_mask, cross)
        hidden_states = self.model.decoder.norm(hidden_states)
        return self.model.generator(hidden_states[:, -1, :])
    def reorder(self, beam_idx):
        for past in self.past_key_values:
            past.reorder(beam_idx)

# %% wrong: no-mask-since-there-is-no-future | No target mask is passed, because there is no future to hide. But a model can write padding like any other token, and greedy_decode hides it from later tokens; the padding mask of all ids is still needed.
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
        start = ids.size(1) - 1
        x = positions(tokens(ids[:, start:]), start)
        tgt_mask = None
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        decoded = model.decoder.norm(x)
        return model.generator(decoded[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% right: position-from-what-was-read
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.parts = []
        for layer in model.decoder.layers:
            crossed = keys_and_values(layer.cross_attn, memory)
            self.parts.append((layer, KeyValueCache(max_len), crossed))
        self.read = 0
    def step(self, ids):
        embed, place = self.model.tgt_embed
        x = place(embed(ids[:, self.read :]), self.read)
        self.read = ids.size(1)
        seen = padding_mask(ids, self.model.pad_id)
        for layer, cache, crossed in self.parts:
            x = cached_layer(layer, x, cache, mask=seen, memory=crossed, memory_mask=self.src_mask)
        return self.model.generator(self.model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for _, cache, _ in self.parts:
            cache.reorder(rows)

# %% right: hf-growing-mask
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.encoder_attention_mask = padding_mask(src, model.pad_id)
        encoder_outputs = model.encode(src, self.encoder_attention_mask)
        layers = list(model.decoder.layers)
        self.cross = [keys_and_values(layer.cross_attn, encoder_outputs) for layer in layers]
        self.past = [KeyValueCache(max_len) for _ in layers]
        self.attention_mask = None
    def step(self, ids):
        newest = ids[:, -1:]
        here = padding_mask(newest, self.model.pad_id)
        if self.attention_mask is None:
            self.attention_mask = here
        else:
            self.attention_mask = torch.cat([self.attention_mask, here], dim=3)
        tokens, positions = self.model.tgt_embed
        hidden = positions(tokens(newest), ids.size(1) - 1)
        for layer, past, cross in zip(self.model.decoder.layers, self.past, self.cross):
            hidden = cached_layer(
                layer, hidden, past, self.attention_mask, cross, self.encoder_attention_mask
            )
        hidden = self.model.decoder.norm(hidden)
        return self.model.generator(hidden.squeeze(1))
    def reorder(self, rows):
        self.attention_mask = self.attention_mask[rows]
        for past in self.past:
            past.reorder(rows)
