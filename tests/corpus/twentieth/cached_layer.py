# %% wrong: keys-of-the-raw-x | Keys and values are made from the layer's x instead of from y, which the connection passes on. In pre-norm y is the normalized x, so unnormalized positions get into the cache. (In post-norm both are the same.)
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    past_and_new = cache.append(*keys_and_values(layer.self_attn, x))
    def self_attention(y):
        return attend(layer.self_attn, y, *past_and_new, mask)
    def cross_attention(y):
        keys, values = memory
        rows = y.reshape(keys.size(0), -1, y.size(2))
        return attend(layer.cross_attn, rows, keys, values, memory_mask).view_as(y)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    return layer.sublayers[-1](x, layer.feed_forward)

# %% wrong: hf-stores-but-looks-at-the-new-only | The new keys and values are written into the cache, but what append returns (all that are there) is ignored: the query looks at the new position alone, and never at the past. (With a mask over all positions the shapes no longer fit.)
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(hidden_states):
        key_states, value_states = keys_and_values(layer.self_attn, hidden_states)
        if cache is not None:
            cache.append(key_states, value_states)
        return attend(layer.self_attn, hidden_states, key_states, value_states, mask)
    def cross_attention(hidden_states):
        key_states, value_states = memory
        batch, _, width = hidden_states.shape
        asking = hidden_states.reshape(key_states.size(0), -1, width)
        found = attend(layer.cross_attn, asking, key_states, value_states, memory_mask)
        return found.reshape(batch, -1, width)
    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    x = layer.sublayers[-1](x, layer.feed_forward)
    return x

# %% wrong: hf-memory-tiled-for-the-beam | The memory is repeated as a whole for the rows of a beam (source 0, 1, 0, 1, ...), but the B rows of a source stand one after the other (0, 0, 1, 1, ...), so with several sources rows ask a wrong one; either repeat_interleave or no copies at all.
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values, mask)
    def cross_attention(y):
        keys, values = memory
        beams = y.size(0) // keys.size(0)
        keys, values = keys.repeat(beams, 1, 1, 1), values.repeat(beams, 1, 1, 1)
        seen = memory_mask
        if seen is not None and seen.size(0) != y.size(0):
            seen = seen.repeat(beams, 1, 1, 1)
        return attend(layer.cross_attn, y, keys, values, seen)
    steps = [self_attention, layer.feed_forward]
    if memory is not None:
        steps.insert(1, cross_attention)
    for connection, step in zip(layer.sublayers, steps):
        x = connection(x, step)
    return x

# %% wrong: self-attention-asks-the-memory | The memory is asked with layer.self_attn instead of layer.cross_attn, so w_q and w_o of the wrong attention work on keys that the cross-attention made.
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

# %% wrong: source-padding-seen-and-wrong-connection | Two mistakes. memory_mask isn't passed to the cross-attention, so the padding of the source is seen. And the feed-forward network always goes through sublayers[1], which in a decoder layer belongs to the cross-attention; it is the last one (its norm is another).
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def within(y):
        fresh = keys_and_values(layer.self_attn, y)
        known = cache.append(*fresh)
        return attend(layer.self_attn, query=y, keys=known[0], values=known[1], mask=mask)
    def across(y):
        sources = memory[0].size(0)
        found = attend(layer.cross_attn, y.view(sources, -1, y.size(-1)), *memory)
        return found.view(y.shape)
    first, second = layer.sublayers[0], layer.sublayers[1]
    x = first(x, within)
    if memory is not None:
        x = second(x, across)
    return second(x, layer.feed_forward)

# %% right: steps-and-unflatten
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def look_back(y):
        new_keys, new_values = keys_and_values(layer.self_attn, y)
        return attend(layer.self_attn, y, *cache.append(new_keys, new_values), mask=mask)
    def look_up(y):
        sources = memory[0].shape[0]
        together = y.unflatten(0, (sources, -1)).flatten(1, 2)
        found = attend(layer.cross_attn, together, *memory, mask=memory_mask)
        return found.reshape(y.shape)
    steps = [look_back] + ([look_up] if memory is not None else []) + [layer.feed_forward]
    for connection, step in zip(layer.sublayers, steps):
        x = connection(x, step)
    return x
