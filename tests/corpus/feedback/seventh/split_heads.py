# %% wrong: features_dealt_out_in_turn | TRUE CAUSE: the last axis is cut into (d_k, H) instead of (H, d_k), so head 0 gets every H-th feature and not the first d_k; the permute then makes the shape right
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads)
    return cut.permute(0, 3, 1, 2)  # (N, H, T, d_k)


# %% wrong: reshape_in_place_of_swap | TRUE CAUSE: the cut is right, but the swap of words and heads is done with reshape, which keeps the order of the numbers: a reshape was taken for a transpose
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.reshape(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads


# %% wrong: chunk_by_size | TRUE CAUSE: torch.chunk takes the number of pieces, not their size, so chunk(d_k) makes d_k heads of H features each: (N, d_k, T, H) instead of (N, H, T, d_k)
def split_heads(x, num_heads):
    d_k = x.size(-1) // num_heads
    pieces = x.chunk(d_k, dim=-1)  # one piece of d_k features for each head
    return torch.stack(pieces, dim=1)  # (N, H, T, d_k)
