# %% wrong: keys-of-x-not-y | The keys and values for the cache are computed from x of the code around and not from the y that the connection passes. In pre-norm y is the normalized x, so the cache is filled with keys and values of vectors that are not normalized.
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

# %% wrong: memory-repeated-in-the-wrong-order | The memory and its mask are copied for the rows of a beam with repeat, one whole batch behind the other, but the rows of one source follow one another; with several sources, most rows ask the memory of another source.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        key_states, value_states = keys_and_values(layer.self_attn, y)
        key_states, value_states = cache.append(key_states, value_states)
        return attend(layer.self_attn, y, key_states, value_states, mask)
    def cross_attention(y):
        num_beams = y.size(0) // memory[0].size(0)
        key_states, value_states = (part.repeat(num_beams, 1, 1, 1) for part in memory)
        encoder_mask = memory_mask
        if encoder_mask is not None:
            encoder_mask = encoder_mask.repeat(num_beams, 1, 1, 1)
        return attend(layer.cross_attn, y, key_states, value_states, encoder_mask)
    hidden_states = layer.sublayers[0](x, self_attention)
    if memory is not None:
        hidden_states = layer.sublayers[1](hidden_states, cross_attention)
    return layer.sublayers[-1](hidden_states, layer.feed_forward)

# %% wrong: cross-attention-with-self_attn | The lookup in the memory uses the weights of self_attn (its w_q and w_o) and not those of cross_attn; the two attentions of a layer have weights of their own.
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

# %% wrong: network-in-the-connection-of-cross-attention | The feed-forward network always goes through sublayers[1]. That is right for an EncoderLayer, but in a DecoderLayer this is the connection (and the norm) of the cross-attention; its own is the third, the last one.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    around_attention, around_network = layer.sublayers[0], layer.sublayers[1]
    def look_back(y):
        remembered = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, *remembered, mask)
    h = around_attention(x, look_back)
    if memory is not None:
        k, v = memory
        def look_up(y):
            together = y.reshape(k.size(0), -1, y.size(2))
            return attend(layer.cross_attn, together, k, v, memory_mask).view_as(y)
        h = layer.sublayers[1](h, look_up)
    return around_network(h, layer.feed_forward)

# %% wrong: values-for-keys | What the cache returns is unpacked in the wrong order, so self-attention compares the queries with the values and averages the keys; the shapes are the same and fit by chance.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        xk, xv = keys_and_values(layer.self_attn, y)
        values, keys = cache.append(xk, xv)
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        bsz = memory[0].shape[0]
        out = attend(layer.cross_attn, y.reshape(bsz, -1, y.shape[-1]), *memory, memory_mask)
        return out.reshape(y.shape)
    steps = [self_attention, layer.feed_forward]
    if memory is not None:
        steps.insert(1, cross_attention)
    for connection, step in zip(layer.sublayers, steps, strict=True):
        x = connection(x, step)
    return x

# %% wrong: no-memory-mask-and-x-asks | Two mistakes. memory_mask is not passed to the cross-attention, so the padding of the source is looked at. And the query of the cross-attention is x of the code around and not the y that the connection passes, so in pre-norm it is not normalized.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    x = layer.sublayers[0](
        x,
        lambda y: attend(
            layer.self_attn, y, *cache.append(*keys_and_values(layer.self_attn, y)), mask
        ),
    )
    if memory is not None:
        sources = memory[0].size(0)
        x = layer.sublayers[1](
            x,
            lambda y: attend(
                layer.cross_attn, x.reshape(sources, -1, x.size(2)), memory[0], memory[1]
            ).view_as(y),
        )
    return layer.sublayers[-1](x, layer.feed_forward)

# %% right: memory-for-each-row
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def look_back(y):
        return attend(
            layer.self_attn, y, *cache.append(*keys_and_values(layer.self_attn, y)), mask
        )
    def look_up(y):
        copies = y.size(0) // memory[0].size(0)
        keys, values = (part.repeat_interleave(copies, dim=0) for part in memory)
        seen = memory_mask
        if seen is not None and seen.size(0) > 1:
            seen = seen.repeat_interleave(copies, dim=0)
        return attend(layer.cross_attn, y, keys, values, seen)
    h = layer.sublayers[0](x, look_back)
    if memory is not None:
        h = layer.sublayers[1](h, look_up)
    return layer.sublayers[-1](h, layer.feed_forward)

# %% right: steps-in-a-list
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        new_keys, new_values = keys_and_values(layer.self_attn, y)
        all_keys, all_values = cache.append(new_keys, new_values)
        return attend(layer.self_attn, y, all_keys, all_values, mask)
    steps = [self_attention]
    if memory is not None:
        memory_keys, memory_values = memory
        def cross_attention(y):
            together = y.reshape(memory_keys.size(0), -1, y.size(-1))
            found = attend(layer.cross_attn, together, memory_keys, memory_values, memory_mask)
            return found.reshape(y.shape)
        steps.append(cross_attention)
    steps.append(layer.feed_forward)
    for connection, step in zip(layer.sublayers, steps, strict=True):
        x = connection(x, step)
    return x
