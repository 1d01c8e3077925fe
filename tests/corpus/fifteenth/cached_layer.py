# %% wrong: keys-of-the-raw-x | Keys and values are made of x, what came into the layer, and not of y, what the connection hands to the sublayer: in a pre-norm layer, keys and values are made of vectors that were not normalized.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    keys, values = cache.append(*keys_and_values(layer.self_attn, x))
    x = layer.sublayers[0](x, lambda y: attend(layer.self_attn, y, keys, values, mask))
    if memory is not None:
        def cross_attention(y):
            rows = y.reshape(memory[0].size(0), -1, y.size(2))
            return attend(layer.cross_attn, rows, *memory, memory_mask).view_as(y)
        x = layer.sublayers[1](x, cross_attention)
    return layer.sublayers[-1](x, layer.feed_forward)

# %% wrong: memory-tiled-for-beams | For a beam the keys and values of the memory are copied with repeat, so that row r gets the memory of source r % N; but the B rows of a source stand one after the other, so it should be r // B (repeat_interleave, or ask together).
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        keys, values = memory
        beams = y.size(0) // keys.size(0)
        seen = memory_mask
        if beams > 1:
            keys, values = keys.repeat(beams, 1, 1, 1), values.repeat(beams, 1, 1, 1)
            seen = None if seen is None else seen.repeat(beams, 1, 1, 1)
        return attend(layer.cross_attn, y, keys, values, seen)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    return layer.sublayers[-1](x, layer.feed_forward)

# %% wrong: third-sublayer-always | The feed-forward network is called through sublayers[2], as in a DecoderLayer: an EncoderLayer has two connections only, so without memory there is an IndexError.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        k, v = keys_and_values(layer.self_attn, y)
        k, v = cache.append(k, v)
        return attend(layer.self_attn, y, k, v, mask)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        k, v = memory
        n = k.size(0)
        x = layer.sublayers[1](
            x,
            lambda y: attend(
                layer.cross_attn, y.reshape(n, -1, y.size(-1)), k, v, memory_mask
            ).view_as(y),
        )
    return layer.sublayers[2](x, layer.feed_forward)

# %% wrong: always-pre-norm | The connections are written out as x + sublayer(norm(x)), as in GPT-2, whatever norm_first says: in a post-norm layer, as in the paper, the norm belongs after the sum.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    norms = [connection.norm for connection in layer.sublayers]
    y = norms[0](x)
    keys, values = cache.append(*keys_and_values(layer.self_attn, y))
    x = x + attend(layer.self_attn, y, keys, values, mask)
    if memory is not None:
        y = norms[1](x)
        rows = y.reshape(memory[0].size(0), -1, y.size(2))
        x = x + attend(layer.cross_attn, rows, *memory, memory_mask).view_as(y)
    x = x + layer.feed_forward(norms[-1](x))
    return x

# %% right: three-steps
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    steps = []
    def look_back(y):
        return attend(
            layer.self_attn, y, *cache.append(*keys_and_values(layer.self_attn, y)), mask
        )
    steps.append(look_back)
    if memory is not None:
        def look_up(y):
            together = y.reshape(len(memory[0]), -1, y.shape[-1])
            answers = attend(layer.cross_attn, together, memory[0], memory[1], memory_mask)
            return answers.reshape(y.shape)
        steps.append(look_up)
    steps.append(layer.feed_forward)
    for connection, step in zip(layer.sublayers, steps, strict=True):
        x = connection(x, step)
    return x
