# %% wrong: view-without-transpose | The heads are split by a view straight into (N, H, T, d_k), without a transpose. The shape is right, but each head gets pieces of several positions, and not a slice of the features of each.
def keys_and_values(attention, x):
    batch_size = x.shape[0]
    head_dim = x.shape[-1] // attention.num_heads
    keys = attention.w_k(x).view(batch_size, attention.num_heads, -1, head_dim)
    values = attention.w_v(x).view(batch_size, attention.num_heads, -1, head_dim)
    return keys, values

# %% wrong: keys-from-w_q | The keys are made with the projection of the queries, w_q, and not with w_k.
def keys_and_values(attention, x):
    keys = split_heads(attention.w_q(x), attention.num_heads)
    values = split_heads(attention.w_v(x), attention.num_heads)
    return keys, values

# %% wrong: features-interleaved | The features are split with the heads as the last axis, (d_k, H), so each head takes every H-th feature; each head has to take d_k features that follow one another, as split_heads does.
def keys_and_values(attention, x):
    def heads_of(projected):
        n, t, _ = projected.shape
        return projected.reshape(n, t, -1, attention.num_heads).permute(0, 3, 1, 2)
    return heads_of(attention.w_k(x)), heads_of(attention.w_v(x))

# %% wrong: split-before-projecting | The keys are the heads of x itself: w_k is never applied, as if the projection were part of attend (only the values are projected).
def keys_and_values(attention, x):
    heads = attention.num_heads
    k, v = split_heads(x, heads), split_heads(attention.w_v(x), heads)
    return k, v

# %% right: unflatten
def keys_and_values(attention, x):
    return tuple(
        project(x).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
        for project in (attention.w_k, attention.w_v)
    )
