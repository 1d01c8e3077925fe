# %% wrong: start-one-too-far | The newest token's position is taken to be the number of ids, but positions count from 0, so with length ids the newest stands at position length - 1. Every token gets the sinusoids of the next position.
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

# %% wrong: hugging-face-positions-without-padding | A row's position counts only its tokens that are no padding, as Hugging Face computes position_ids from the attention mask. Here a token's position is its place in the row, padding or not, as in greedy_decode, which reads the whole row: after padding that the model has written, all positions are too small.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        encoder_hidden_states = model.encode(src, self.src_mask)
        self.memories = []
        self.caches = []
        for block in model.decoder.layers:
            self.memories.append(keys_and_values(block.cross_attn, encoder_hidden_states))
            self.caches.append(KeyValueCache(max_len))
    def step(self, ids):
        model = self.model
        wte, wpe = model.tgt_embed
        attention_mask = padding_mask(ids, model.pad_id)
        position_ids = attention_mask[:, 0, 0].long().cumsum(dim=-1)[:, -1] - 1
        position_ids = position_ids.clamp(min=0).tolist()
        inputs_embeds = wte(ids[:, -1:])
        hidden_states = torch.cat(
            [wpe(inputs_embeds[i : i + 1], start) for i, start in enumerate(position_ids)]
        )
        for block, cache, memory in zip(model.decoder.layers, self.caches, self.memories):
            hidden_states = cached_layer(
                block, hidden_states, cache, attention_mask, memory, self.src_mask
            )
        hidden_states = model.decoder.norm(hidden_states)
        return model.generator(hidden_states[:, -1])
    def reorder(self, beam_idx):
        for cache in self.caches:
            cache.reorder(beam_idx)

# %% wrong: gpt-fast-no-mask-needed | The newest position gets no mask, since the student thinks that a single query that may see all of the past needs none. There is no future to hide, but there may be padding, "which a model can write like any other token, and which greedy_decode hides, too".
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.memories = [keys_and_values(b.cross_attn, memory) for b in model.decoder.layers]
        self.caches = [KeyValueCache(max_len) for _ in model.decoder.layers]
    def step(self, ids):
        embed, positions = self.model.tgt_embed
        input_pos = ids.shape[1] - 1
        x = positions(embed(ids[:, input_pos:]), input_pos)
        for i, layer in enumerate(self.model.decoder.layers):
            x = cached_layer(
                layer, x, self.caches[i], memory=self.memories[i], memory_mask=self.src_mask
            )
        x = self.model.decoder.norm(x)
        return self.model.generator(x[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: mask-of-the-newest-token | The target's mask is made of the newest token alone, since that is all that the step reads. But the keys are those of all ids so far, and the mask is about keys: the single column broadcasts over them, so earlier padding is seen, and where the newest token is padding, all keys are hidden.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.parts = []
        for layer in model.decoder.layers:
            kept = keys_and_values(layer.cross_attn, memory)
            self.parts.append((layer, KeyValueCache(max_len), kept))
    def step(self, ids):
        tokens, positions = self.model.tgt_embed
        newest = ids[:, -1:]
        seen = padding_mask(newest, self.model.pad_id)
        x = positions(tokens(newest), start=ids.size(1) - 1)
        for layer, cache, kept in self.parts:
            x = cached_layer(layer, x, cache, seen, kept, self.src_mask)
        return self.model.generator(self.model.decoder.norm(x).squeeze(1))
    def reorder(self, rows):
        for _, cache, _ in self.parts:
            cache.reorder(rows)

# %% wrong: memories-of-self-attention | The memory's keys and values are made with each layer's self_attn, whose projections are those for the target, instead of with its cross_attn, which asks them later. The shapes are the same.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        def prepared(layer):
            return {
                "memory": keys_and_values(layer.self_attn, memory),
                "cache": KeyValueCache(max_len),
            }
        self.prepared = [prepared(layer) for layer in model.decoder.layers]
    def step(self, ids):
        model = self.model
        place = ids.size(1) - 1
        x = model.tgt_embed[1](model.tgt_embed[0](ids[:, place:]), place)
        tgt_mask = padding_mask(ids, model.pad_id)
        for layer, given in zip(model.decoder.layers, self.prepared):
            x = cached_layer(
                layer, x, mask=tgt_mask, memory_mask=self.src_mask, **given
            )
        return model.generator(model.decoder.norm(x)[:, 0])
    def reorder(self, rows):
        for given in self.prepared:
            given["cache"].reorder(rows)

# %% wrong: last-norm-forgotten | The layers are run one by one, and the vectors go to the generator without the stack's last norm, which the decoder's forward would have applied. In post-norm it is nn.Identity, and nothing changes; a pre-norm model's sum is not normalized.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        self.layers = list(model.decoder.layers)
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in self.layers]
        self.caches = [KeyValueCache(max_len) for _ in self.layers]
    def step(self, ids):
        pad_id, generator = self.model.pad_id, self.model.generator
        tokens, positions = self.model.tgt_embed
        x = positions(tokens(ids[:, -1].unsqueeze(1)), self.caches[0].length)
        tgt_mask = padding_mask(ids, pad_id)
        depth = 0
        while depth < len(self.layers):
            x = cached_layer(
                self.layers[depth],
                x,
                self.caches[depth],
                tgt_mask,
                self.memories[depth],
                self.src_mask,
            )
            depth += 1
        return generator(x.squeeze(1))
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% wrong: two-source-unmasked-and-one-cache-reordered | Two mistakes. The encoder reads the source without its mask, so words look at padding and the memory differs from that of greedy_decode. And reorder moves the first layer's cache only, so in a beam the layers above continue with another prefix's past.
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in layers]
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
        log_probs = model.generator(decoded[:, -1])
        return log_probs
    def reorder(self, rows):
        first = self.caches[0]
        first.reorder(rows)

# %% right: last-row-of-the-target-mask
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
        model = self.model
        start = self.caches[0].length
        tokens, positions = model.tgt_embed[0], model.tgt_embed[1]
        x = positions(tokens(ids[:, start:]), start)
        tgt_mask = target_mask(ids, model.pad_id)[:, :, start:]
        for depth, layer in enumerate(model.decoder.layers):
            cache, memory = self.caches[depth], self.memories[depth]
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        return model.generator(model.decoder.norm(x)[:, -1])
    def reorder(self, rows):
        for cache in self.caches:
            cache.reorder(rows)

# %% right: layers-with-their-past
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.memories = []
        self.caches = []
        encoded = model.encode(src, self.src_mask)
        for layer in model.decoder.layers:
            self.memories.append(keys_and_values(attention=layer.cross_attn, x=encoded))
            self.caches.append(KeyValueCache(max_len))
    def step(self, ids):
        model = self.model
        embed, positions = model.tgt_embed
        newest = ids.narrow(1, ids.size(1) - 1, 1)
        hidden = positions(embed(newest), start=ids.size(1) - 1)
        real = (ids != model.pad_id)[:, None, None, :]
        for layer, past, source in zip(model.decoder.layers, self.caches, self.memories):
            hidden = cached_layer(
                layer, hidden, past, mask=real, memory=source, memory_mask=self.src_mask
            )
        return model.generator(model.decoder.norm(hidden).squeeze(1))
    def reorder(self, rows):
        for past in self.caches:
            past.reorder(rows)
