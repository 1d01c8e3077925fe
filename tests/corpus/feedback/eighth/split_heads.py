# %% wrong: cut_with_heads_last | TRUE CAUSE: the last axis is cut as (d_k, H) instead of (H, d_k), so head h gets every H-th feature (interleaved) instead of a run of d_k neighbors; permute hides it by giving the right shape.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads)
    heads = cut.permute(0, 3, 1, 2)  # (N, H, T, d_k)
    return heads


# %% wrong: split_takes_size_not_count | TRUE CAUSE: Tensor.split takes the size of a piece, not the number of pieces; passing num_heads gives D / H heads of H features each, so the head axis and the feature axis have each other's lengths.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    pieces = x.split(num_heads, dim=-1)
    heads = torch.stack(pieces, dim=1)  # (N, H, T, d_k)
    return heads


# %% wrong: swap_before_cut | TRUE CAUSE: words and features are swapped first and the result is then reshaped straight to (N, H, T, d_k); reshape keeps the order it sees, in which the words run fastest, so the words of one feature end up where the features of one word should be (the swap must come after the cut).
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.transpose(1, 2)
    heads = cut.reshape(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads
