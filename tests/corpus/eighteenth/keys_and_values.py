# %% wrong: view-straight-to-heads | The heads are cut by one view to (N, H, T, d_k). The shape is right but the numbers are not: the features of different positions are mixed, since the view goes through the positions first. It takes (N, T, H, d_k) and a transpose, which is what split_heads does.
def keys_and_values(attention, x):
    batch, length, width = x.shape
    shape = (batch, attention.num_heads, length, width // attention.num_heads)
    keys = attention.w_k(x).reshape(shape)
    values = attention.w_v(x).reshape(shape)
    return keys, values

# %% wrong: keys-from-w-q | The keys are made with w_q, the projection of the queries, and not with w_k.
def keys_and_values(attention, x):
    kept = []
    for projection in (attention.w_q, attention.w_v):
        kept.append(split_heads(projection(x), attention.num_heads))
    keys, values = kept
    return keys, values

# %% wrong: nanogpt-fused-without-bias | Both projections are done in one product, with the two weights one upon the other as in nanoGPT's c_attn, but the biases of w_k and w_v are left out; F.linear takes them as its third argument.
def keys_and_values(attention, x):
    weight = torch.cat([attention.w_k.weight, attention.w_v.weight], dim=0)
    k, v = F.linear(x, weight).chunk(2, dim=-1)
    return split_heads(k, attention.num_heads), split_heads(v, attention.num_heads)

# %% wrong: flash-layout | The heads are left on the third axis, (N, T, H, d_k), the layout of FlashAttention, and never moved in front of the positions: a transpose is missing. The contract asks for (N, H, T, d_k).
def keys_and_values(attention, x):
    def heads(projection):
        return projection(x).unflatten(-1, (attention.num_heads, -1))
    return heads(attention.w_k), heads(attention.w_v)

# %% right: one-product-with-bias
def keys_and_values(attention, x):
    w_k, w_v = attention.w_k, attention.w_v
    weight = torch.cat([w_k.weight, w_v.weight])
    bias = torch.cat([w_k.bias, w_v.bias])
    both = F.linear(x, weight, bias).unflatten(-1, (2, attention.num_heads, -1))
    keys, values = both.permute(2, 0, 3, 1, 4)
    return keys, values
