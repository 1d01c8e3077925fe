# %% right: field_view_and_transpose
def keys_and_values(attention, x):
    bsz, q_len, d_model = x.size()
    head_dim = d_model // attention.num_heads
    key_states = attention.w_k(x).view(bsz, q_len, attention.num_heads, head_dim).transpose(1, 2)
    value_states = attention.w_v(x).view(bsz, q_len, attention.num_heads, head_dim).transpose(1, 2)
    return key_states, value_states
# %% right: field_linears_zipped
def keys_and_values(attention, x):
    nbatches, h = x.size(0), attention.num_heads
    return [
        lin(x).view(nbatches, -1, h, x.size(-1) // h).transpose(1, 2)
        for lin in (attention.w_k, attention.w_v)
    ]
# %% right: field_permuted
def keys_and_values(attention, key):
    batch_size, n_heads = key.shape[0], attention.num_heads
    K = attention.w_k(key)
    V = attention.w_v(key)
    head_dim = K.shape[-1] // n_heads
    K = K.view(batch_size, -1, n_heads, head_dim).permute(0, 2, 1, 3)
    V = V.view(batch_size, -1, n_heads, head_dim).permute(0, 2, 1, 3)
    return K, V
