# %% wrong: features_dealt_out_in_turn | TRUE CAUSE: The last axis is cut into (d_k, H) instead of (H, d_k) in `cut`, so head h gets every H-th feature instead of a block of d_k neighbors.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads).transpose(2, 3)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads
# %% wrong: split_takes_a_size | TRUE CAUSE: Tensor.split is given num_heads as if it were the number of pieces, but it is their size, so there come d_k pieces of H features and the result is (N, d_k, T, H).
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = torch.stack(x.split(num_heads, dim=-1), dim=2)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads
# %% wrong: own_loop_into_float32_zeros | TRUE CAUSE: The result is filled into torch.zeros without a dtype, so it is always float32, also where x is float64 or holds whole numbers.
def split_heads(x, num_heads):
    n, t, d = x.shape
    size = d // num_heads
    result = torch.zeros(n, num_heads, t, size)
    for h in range(num_heads):
        start = h * size
        result[:, h] = x[:, :, start : start + size]
    return result
# %% wrong: own_chunks_stacked_head_major | TRUE CAUSE: The chunks are joined along axis 0, which orders them head first and sentence second, but the view then reads that axis as sentence first and head second, so for more than one sentence heads and sentences are mixed up.
def split_heads(x, num_heads):
    pieces = torch.chunk(x, num_heads, dim=-1)
    together = torch.cat(pieces, dim=0)
    return together.view(x.size(0), num_heads, x.size(1), -1)
