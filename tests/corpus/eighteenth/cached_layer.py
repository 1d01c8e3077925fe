# %% wrong: keys-from-outer-x | Keys and values are made of x, the layer's input, and not of y, what the connection hands over. In post-norm both are the same, but in pre-norm y is the normalized x, so keys and values that have not been normalized are put into the cache.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    new_keys, new_values = keys_and_values(layer.self_attn, x)
    keys, values = cache.append(new_keys, new_values)
    def self_attention(y):
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        rows = y.reshape(memory[0].size(0), -1, y.size(2))
        return attend(layer.cross_attn, rows, *memory, memory_mask).view_as(y)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    return layer.sublayers[-1](x, layer.feed_forward)

# %% wrong: no-mask-since-no-future | Self-attention gets no mask, with the thought that in decoding there is no future to hide. But padding among the earlier positions has to be hidden, and a prompt brings several positions in one call, which need their causal mask.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values)
    def cross_attention(y):
        keys, values = memory
        rows = y.reshape(keys.size(0), -1, y.size(2))
        found = attend(layer.cross_attn, rows, keys, values, memory_mask)
        return found.view_as(y)
    steps = [self_attention, layer.feed_forward]
    if memory is not None:
        steps.insert(1, cross_attention)
    for connection, step in zip(layer.sublayers, steps, strict=True):
        x = connection(x, step)
    return x

# %% wrong: memory-repeated-in-the-wrong-order | For a beam the memory is copied with repeat, which puts the sources one after the other and then all of them again (0, 1, 0, 1), but the rows of one source stand one after the other (0, 0, 1, 1). So with several sources and several rows each, rows ask the memory of another source; it takes repeat_interleave, or all rows of one source asking together.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        beam = y.size(0) // memory[0].size(0)
        keys, values = (kept.repeat(beam, 1, 1, 1) for kept in memory)
        seen = memory_mask
        if seen is not None:
            seen = seen.repeat(beam, 1, 1, 1)
        return attend(layer.cross_attn, y, keys, values, seen)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    x = layer.sublayers[-1](x, layer.feed_forward)
    return x

# %% wrong: cross-copied-from-self | Two mistakes. Cross-attention gets no memory_mask, so the padding of the source is seen. And it goes through sublayers[0], the connection of self-attention (copied from the line above), so the norm of sublayers[1] is never used.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        keys, values = memory
        rows = y.reshape(keys.size(0), -1, y.size(2))
        return attend(layer.cross_attn, rows, keys, values).view_as(y)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[0](x, cross_attention)
    x = layer.sublayers[-1](x, layer.feed_forward)
    return x

# %% wrong: nanogpt-always-pre-norm | The connections are not called but written out, as x plus the sublayer of the norm of x, as in a GPT block. That is pre-norm always; a post-norm layer normalizes the sum, so for it the result is wrong. The same sublayers have to be called with the same norms.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def residual(connection, x, sublayer):
        return x + connection.dropout(sublayer(connection.norm(x)))
    def self_attention(y):
        k, v = keys_and_values(layer.self_attn, y)
        k, v = cache.append(k, v)
        return attend(layer.self_attn, y, k, v, mask)
    def cross_attention(y):
        k, v = memory
        together = y.reshape(k.size(0), -1, y.size(-1))
        return attend(layer.cross_attn, together, k, v, memory_mask).view_as(y)
    x = residual(layer.sublayers[0], x, self_attention)
    if memory is not None:
        x = residual(layer.sublayers[1], x, cross_attention)
    return residual(layer.sublayers[-1], x, layer.feed_forward)

# %% right: copies-for-each-row
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def remember(y):
        return attend(layer.self_attn, y, *cache.append(*keys_and_values(layer.self_attn, y)), mask)
    def look_up(y):
        beam = y.size(0) // memory[0].size(0)
        keys, values = (kept.repeat_interleave(beam, dim=0) for kept in memory)
        seen = memory_mask
        if seen is not None and seen.size(0) > 1:
            seen = seen.repeat_interleave(beam, dim=0)
        return attend(layer.cross_attn, y, keys, values, seen)
    first, *others = layer.sublayers
    x = first(x, remember)
    if memory is not None:
        x = others[0](x, look_up)
    return others[-1](x, layer.feed_forward)
