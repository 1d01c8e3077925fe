# %% wrong: features-dealt-to-the-heads-in-turn | The features are cut into (d_k, H) instead of (H, d_k), so each head gets every H-th feature instead of d_k features in a row. Shapes are right, but the heads are not those that split_heads cuts and that the attention's weights were trained for.
def keys_and_values(attention, x):
    both = []
    for projection in (attention.w_k, attention.w_v):
        features = projection(x).unflatten(-1, (-1, attention.num_heads))
        both.append(features.permute(0, 3, 1, 2))
    keys, values = both
    return keys, values

# %% wrong: bloom-transposed-keys | The keys are returned already transposed, (N, H, d_k, T), as Bloom's and older GPT-2 code keep them, ready for the product with the queries. The contract is (N, H, T, d_k) for both, which the cache and attend rely on.
def keys_and_values(attention, x):
    batch_size, seq_length, _ = x.shape
    num_heads = attention.num_heads
    key_layer = attention.w_k(x).view(batch_size, seq_length, num_heads, -1)
    value_layer = attention.w_v(x).view(batch_size, seq_length, num_heads, -1)
    return key_layer.permute(0, 2, 3, 1), value_layer.transpose(1, 2)

# %% right: one-matrix-for-both
def keys_and_values(attention, x):
    weight = torch.cat([attention.w_k.weight, attention.w_v.weight])
    bias = torch.cat([attention.w_k.bias, attention.w_v.bias])
    k, v = F.linear(x, weight, bias).chunk(2, dim=-1)
    return split_heads(k, attention.num_heads), split_heads(v, attention.num_heads)

# %% right: unflatten-and-transpose
def keys_and_values(attention, x):
    def heads_of(projection):
        return projection(x).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
    keys, values = heads_of(attention.w_k), heads_of(attention.w_v)
    return keys, values
