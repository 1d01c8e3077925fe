# %% wrong: start-one-too-far | The position of the newest token is taken to be the number of ids, but positions are counted from 0, so the newest of n ids stands at n - 1: every token gets the position of the next one.
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
        return model.generator(decoded[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: mask-of-the-newest-alone | The padding mask is made of the newest token alone, (R, 1, 1, 1), and so says the same about all keys. Padding among the earlier positions isn't hidden, and in a row whose newest token is padding everything is. The mask needs a column for each key in the cache, so it is made of all ids.
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
        past = ids.size(1) - 1
        newest = ids[:, past:]
        tokens, positions = self.model.tgt_embed
        x = positions(tokens(newest), past)
        real = padding_mask(newest, self.model.pad_id)
        for depth, layer in enumerate(self.model.decoder.layers):
            x = cached_layer(
                layer,
                x,
                self.caches[depth],
                mask=real,
                memory=self.memories[depth],
                memory_mask=self.src_mask,
            )
        return self.model.generator(self.model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: memory-through-self-attention | The keys and values of the memory are made with each layer's self_attn, but it is the cross-attention that looks at the memory, so they have to be made with the w_k and w_v of cross_attn.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        attentions = [layer.self_attn for layer in layers]
        self.memories = [keys_and_values(attention, memory) for attention in attentions]
        self.caches = [KeyValueCache(max_len) for _ in attentions]
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

# %% wrong: one-cache-for-all-layers | The list holds one KeyValueCache as many times as there are layers, a single object, so all layers write into the same cache and each sees the keys of the others, too. Each layer needs a cache of its own. (With two or more layers the mask soon doesn't fit the keys any more, and it raises.)
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
        embed, add_positions = model.tgt_embed
        x = add_positions(embed(ids[:, -1].unsqueeze(1)), start=ids.size(1) - 1)
        tgt_mask = padding_mask(ids, model.pad_id)
        for i, layer in enumerate(model.decoder.layers):
            x = cached_layer(layer, x, self.caches[i], tgt_mask, self.memories[i], self.src_mask)
        return model.generator(model.decoder.norm(x).squeeze(1))
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: last-norm-left-out | The decoder's last norm is left out: what leaves the last layer goes to the generator at once. In a post-norm model that norm is nn.Identity and nothing is missing, but a pre-norm stack ends in a sum that its last LayerNorm has to normalize.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.pad_token_id = model.pad_id
        self.src_mask = padding_mask(src, self.pad_token_id)
        encoder_hidden_states = model.encode(src, self.src_mask)
        self.past_key_values = [
            (KeyValueCache(max_len), keys_and_values(layer.cross_attn, encoder_hidden_states))
            for layer in model.decoder.layers
        ]
    def step(self, ids):
        past_length = ids.shape[1] - 1
        wte, wpe = self.model.tgt_embed
        hidden_states = wpe(wte(ids[:, -1:]), past_length)
        attention_mask = padding_mask(ids, self.pad_token_id)
        for block, (past, cross) in zip(self.model.decoder.layers, self.past_key_values):
            hidden_states = cached_layer(
                block, hidden_states, past, attention_mask, cross, self.src_mask
            )
        return self.model.generator(hidden_states[:, -1, :])
    def reorder(self, rows):
        for past, _ in self.past_key_values:
            past.reorder(rows)

# %% wrong: encoder-without-mask-and-one-cache-reordered | Two mistakes. The source is encoded without its padding mask, so its words look at padding. And reorder moves the rows of the first layer's cache only, so in a beam the other layers go on with the past of other prefixes.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        memory = model.encode(src)
        self.src_mask = padding_mask(src, model.pad_id)
        self.layers = list(model.decoder.layers)
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in self.layers]
        self.caches = [KeyValueCache(max_len) for _ in self.layers]
    def step(self, ids):
        tokens, positions = self.model.tgt_embed
        x = positions(tokens(ids[:, -1:]), self.caches[0].length)
        tgt_mask = padding_mask(ids, self.model.pad_id)
        for layer, cache, memory in zip(self.layers, self.caches, self.memories, strict=True):
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        x = self.model.decoder.norm(x)
        return self.model.generator(x[:, -1])
    def reorder(self, rows):
        self.caches[0].reorder(rows)

# %% right: start-from-the-cache
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.stack = []
        for layer in model.decoder.layers:
            kept = keys_and_values(layer.cross_attn, memory)
            self.stack.append((layer, KeyValueCache(max_len), kept))
    def step(self, ids):
        model = self.model
        already_read = self.stack[0][1].length
        x = model.tgt_embed[1](model.tgt_embed[0](ids[:, already_read:]), already_read)
        seen = padding_mask(ids, model.pad_id)
        for layer, cache, memory in self.stack:
            x = cached_layer(layer, x, cache, seen, memory=memory, memory_mask=self.src_mask)
        return model.generator(model.decoder.norm(x[:, -1]))
    def reorder(self, rows):
        for _, cache, _ in self.stack:
            cache.reorder(rows)

# %% right: hf-past-key-values
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.encoder_attention_mask = padding_mask(src, model.pad_id)
        encoder_out = model.encode(src, self.encoder_attention_mask)
        self.blocks = model.decoder.layers
        self.cross_key_values = tuple(
            keys_and_values(block.cross_attn, encoder_out) for block in self.blocks
        )
        self.past_key_values = tuple(KeyValueCache(max_len) for _ in self.blocks)
    def step(self, ids):
        past_length = ids.shape[1] - 1
        embed_tokens, embed_positions = self.model.tgt_embed
        input_ids = ids.narrow(1, past_length, 1)
        hidden_states = embed_positions(embed_tokens(input_ids), start=past_length)
        attention_mask = ids.ne(self.model.pad_id)[:, None, None, :]
        for idx, block in enumerate(self.blocks):
            hidden_states = cached_layer(
                block,
                hidden_states,
                self.past_key_values[idx],
                mask=attention_mask,
                memory=self.cross_key_values[idx],
                memory_mask=self.encoder_attention_mask,
            )
        hidden_states = self.model.decoder.norm(hidden_states)
        return self.model.generator(hidden_states.squeeze(1))
    def reorder(self, rows):
        for past in self.past_key_values:
            past.reorder(rows)
