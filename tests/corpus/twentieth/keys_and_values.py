# %% wrong: viewed-without-transposing | The projection is viewed as (N, H, T, d_k) at once instead of as (N, T, H, d_k) and then transposed: the shape fits, but the numbers of different positions and heads are mixed up.
def keys_and_values(attention, x):
    batch, length, width = x.shape
    heads = attention.num_heads
    keys = attention.w_k(x).view(batch, heads, length, width // heads)
    values = attention.w_v(x).view(batch, heads, length, width // heads)
    return keys, values

# %% wrong: heads-interleaved | The features are split as (d_k, H) instead of (H, d_k), so a head gets every H-th feature and not a block of d_k neighbors, as split_heads cuts them (and as w_o and the queries expect them).
def keys_and_values(attention, x):
    h = attention.num_heads
    k, v = (
        projection(x).unflatten(-1, (-1, h)).permute(0, 3, 1, 2)
        for projection in (attention.w_k, attention.w_v)
    )
    return k, v

# %% wrong: values-of-the-projected-keys | x is overwritten by its key projection, so w_v works on the keys and not on x: keys and values are both to be made from x itself.
def keys_and_values(attention, x):
    x = attention.w_k(x)
    keys = split_heads(x, attention.num_heads)
    values = split_heads(attention.w_v(x), attention.num_heads)
    return keys, values

# %% wrong: llama-without-bias | Only the weight of w_k is used (a matrix product, as in models whose projections have no bias), so its bias is missing in the keys; the layer itself has to be called.
def keys_and_values(attention, x):
    bsz, seqlen, _ = x.shape
    xk = F.linear(x, attention.w_k.weight)
    xv = attention.w_v(x)
    xk = xk.view(bsz, seqlen, attention.num_heads, -1).transpose(1, 2)
    xv = xv.view(bsz, seqlen, attention.num_heads, -1).transpose(1, 2)
    return xk, xv

# %% right: unflatten
def keys_and_values(attention, x):
    def cut(projected):
        return projected.unflatten(-1, (attention.num_heads, -1)).movedim(2, 1)
    return tuple(cut(project(x)) for project in (attention.w_k, attention.w_v))
