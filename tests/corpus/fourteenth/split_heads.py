# %% wrong: heads_take_every_hth_feature | The last axis is cut as (d_k, num_heads) instead of (num_heads, d_k), so head h gets the features h, h + H, h + 2H, ... rather than a block of d_k neighbors.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads)
    heads = cut.permute(0, 3, 1, 2)  # (N, H, T, d_k)
    return heads
# %% wrong: swap_by_reshape | The cut is right, but the second move is done with reshape instead of transpose: reshape keeps the order of the numbers, so words and heads are not swapped, only relabeled.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.reshape(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads
# %% wrong: own_split_takes_a_piece_size | The argument of torch's split is the size of a piece, not the number of pieces: x.split(num_heads) makes d_k pieces of num_heads features each, so the result is (N, d_k, T, H).
def split_heads(x, num_heads):
    pieces = x.split(num_heads, dim=-1)  # one piece for each head
    return torch.stack(pieces, dim=1)
# %% wrong: own_zeros_without_dtype | The result is written into torch.zeros(...) without x's dtype, so it is always float32: float64 (and integer) inputs come back in another dtype.
def split_heads(x, num_heads):
    n, t, d = x.shape
    size = d // num_heads
    result = torch.zeros(n, num_heads, t, size, device=x.device)
    for h in range(num_heads):
        result[:, h] = x[:, :, h * size : (h + 1) * size]
    return result
