# %% wrong: view-without-transpose | (N, T, D) is viewed as (N, H, T, d_k) directly instead of being split into (N, T, H, d_k) and transposed: the shape is right, but positions and heads are mixed up.
def keys_and_values(attention, x):
    N, T, D = x.shape
    H = attention.num_heads
    keys = attention.w_k(x).view(N, H, T, D // H)
    values = attention.w_v(x).view(N, H, T, D // H)
    return keys, values

# %% wrong: without-bias | The product is written with the weight alone, x @ w.weight.T: the biases of w_k and w_v are left out.
def keys_and_values(attention, x):
    def project(linear):
        return split_heads(x @ linear.weight.T, attention.num_heads)
    return project(attention.w_k), project(attention.w_v)

# %% wrong: heads-as-the-last-axis | The features are cut as (d_k, H) instead of (H, d_k): a head gets every H-th feature and not d_k neighboring ones.
def keys_and_values(attention, x):
    d_k = x.size(-1) // attention.num_heads
    keys = attention.w_k(x).unflatten(-1, (d_k, attention.num_heads))
    values = attention.w_v(x).unflatten(-1, (d_k, attention.num_heads))
    return keys.permute(0, 3, 1, 2), values.permute(0, 3, 1, 2)

# %% right: unflatten
def keys_and_values(attention, x):
    return tuple(
        linear(x).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
        for linear in (attention.w_k, attention.w_v)
    )
