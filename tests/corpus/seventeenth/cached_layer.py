# %% wrong: keys-from-x | The keys and values that are cached are made from x, the layer's input, and not from the y that the connection hands over. In post-norm both are the same; in pre-norm y is normalized, and the cache fills with keys of vectors without the norm, while the queries have it.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, x))
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        keys, values = memory
        rows = y.reshape(keys.size(0), -1, y.size(2))
        return attend(layer.cross_attn, rows, keys, values, memory_mask).view_as(y)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    x = layer.sublayers[-1](x, layer.feed_forward)
    return x

# %% wrong: normed-once-more | The functions normalize what they get with the connection's norm before they use it: the student thinks that the connection passes x as it is, and that the norm has to be called by hand where the layer is called from outside. The connection calls the norm itself, before the sublayer in pre-norm and after the sum in post-norm, so it is applied once too often.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    around = list(layer.sublayers)
    def self_attention(y):
        normed = around[0].norm(y)
        past_and_new = cache.append(*keys_and_values(layer.self_attn, normed))
        return attend(layer.self_attn, normed, *past_and_new, mask)
    def cross_attention(y):
        asking = around[1].norm(y).reshape(memory[0].size(0), -1, y.size(2))
        return attend(layer.cross_attn, asking, *memory, memory_mask).view_as(y)
    def feed_forward(y):
        return layer.feed_forward(around[-1].norm(y))
    x = around[0](x, self_attention)
    if memory is not None:
        x = around[1](x, cross_attention)
    return around[-1](x, feed_forward)

# %% wrong: memory-tiled-for-the-beam | The memory's keys and values are copied for the rows of the beam with repeat, which lays all sources one after the other several times (0, 1, 0, 1), while each of the N sources has its B rows in a row (0, 0, 1, 1). With more than one source and more than one row each, rows look at another sentence's source.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        keys, values = memory
        beam_size = y.size(0) // keys.size(0)
        keys = keys.repeat(beam_size, 1, 1, 1)
        values = values.repeat(beam_size, 1, 1, 1)
        hidden = memory_mask
        if hidden is not None and hidden.size(0) > 1:
            hidden = hidden.repeat(beam_size, 1, 1, 1)
        return attend(layer.cross_attn, y, keys, values, hidden)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    return layer.sublayers[-1](x, layer.feed_forward)

# %% wrong: feed-forward-in-the-second-connection | The feed-forward network is always called in connection 1, as in an encoder layer. A decoder layer's feed-forward network has the third one; here it gets the norm of cross-attention, and the third norm is never used. An EncoderLayer comes out right.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    steps = []
    def self_attention(y):
        return attend(
            layer.self_attn, y, *cache.append(*keys_and_values(layer.self_attn, y)), mask
        )
    steps.append((0, self_attention))
    if memory is not None:
        keys, values = memory
        def cross_attention(y):
            rows = y.reshape(keys.size(0), -1, y.size(2))
            return attend(layer.cross_attn, rows, keys, values, memory_mask).view_as(y)
        steps.append((1, cross_attention))
    steps.append((1, layer.feed_forward))
    for place, sublayer in steps:
        x = layer.sublayers[place](x, sublayer)
    return x

# %% wrong: nanogpt-mask-of-the-new-part | The mask is cut to the columns of the new positions, as nanoGPT slices its triangle to the current T. Its columns stand for all keys in the cache; with one new position, the newest token's column alone is left and broadcasts to all keys, so padding written earlier is seen (and where the newest token is padding, everything is hidden).
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    B, T, C = x.size()
    bias = mask[..., -T:] if mask is not None else None
    def attn(y):
        k, v = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, k, v, bias)
    def cross(y):
        k, v = memory
        y_together = y.reshape(k.size(0), -1, C)
        return attend(layer.cross_attn, y_together, k, v, memory_mask).view(B, T, C)
    x = layer.sublayers[0](x, attn)
    if memory is not None:
        x = layer.sublayers[1](x, cross)
    x = layer.sublayers[-1](x, layer.feed_forward)
    return x

# %% wrong: self-attn-asks-the-memory | Cross-attention asks with layer.self_attn, so its queries and its output go through the projections of the self-attention, while the memory's keys and values were made by layer.cross_attn. The queries do not belong to these keys.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        keys, values = memory
        rows = y.reshape(keys.size(0), -1, y.size(2))
        return attend(layer.self_attn, rows, keys, values, memory_mask).view_as(y)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    x = layer.sublayers[-1](x, layer.feed_forward)
    return x

# %% right: memory-repeated-row-by-row
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        new_keys, new_values = keys_and_values(layer.self_attn, y)
        past_keys, past_values = cache.append(new_keys, new_values)
        return attend(layer.self_attn, y, past_keys, past_values, mask)
    def cross_attention(y):
        beam = y.size(0) // memory[0].size(0)
        keys, values = (part.repeat_interleave(beam, dim=0) for part in memory)
        seen = memory_mask
        if seen is not None and seen.size(0) > 1:
            seen = seen.repeat_interleave(beam, dim=0)
        return attend(layer.cross_attn, y, keys, values, seen)
    hidden = layer.sublayers[0](x, self_attention)
    if memory is not None:
        hidden = layer.sublayers[1](hidden, cross_attention)
    return layer.sublayers[-1](hidden, layer.feed_forward)

# %% right: lambdas-in-a-row
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    own = layer.self_attn
    steps = {0: lambda y: attend(own, y, *cache.append(*keys_and_values(own, y)), mask)}
    if memory is not None:
        sources = memory[0].shape[0]
        together = lambda y: y.unflatten(0, (sources, -1)).flatten(1, 2)
        steps[1] = lambda y: attend(
            layer.cross_attn, together(y), *memory, memory_mask
        ).reshape(y.shape)
    steps[-1] = lambda y: layer.feed_forward(y)
    for place, step in steps.items():
        x = layer.sublayers[place](x, step)
    return x
