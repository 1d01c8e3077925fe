# %% wrong: interleaved_features | TRUE CAUSE: cut views the last axis as (d_k, num_heads) and then swaps those two axes, so head h holds the features h, h + H, h + 2H, ... in place of a contiguous block of d_k features.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads).transpose(-2, -1)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads

# %% wrong: through_data | TRUE CAUSE: cut is made from x.data, which is not connected to the graph, so the numbers are right but no gradient flows back to x (the result does not require grad).
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.data.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2).contiguous()  # (N, H, T, d_k)
    return heads

# %% wrong: own_zeros_buffer | TRUE CAUSE: the buffer is made by torch.zeros without dtype, so it has the default dtype float32 and the result of a float64 (or integer) x is converted to float32 rather than keeping the input's dtype.
def split_heads(x, num_heads):
    n, t, d = x.shape
    size = d // num_heads
    out = torch.zeros(n, num_heads, t, size)
    for h in range(num_heads):
        start = h * size
        out[:, h] = x[:, :, start:start + size]
    return out

# %% wrong: own_chunk_count | TRUE CAUSE: torch.chunk takes the number of pieces, but gets the size d_k of a piece, so x is cut into d_k heads of num_heads features each: the result is (N, d_k, T, H), right only where H equals d_k.
def split_heads(x, num_heads):
    piece = x.shape[-1] // num_heads
    return torch.stack(torch.chunk(x, piece, dim=-1), dim=1)
