# %% wrong: heads_axis_last | TRUE CAUSE: The heads are moved behind d_k (permute to (N, T, d_k, H)) before the join, so the features of the heads are interleaved instead of lying in blocks side by side.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged
# %% wrong: swaps_the_callers_axes | TRUE CAUSE: transpose_ with an underscore swaps the axes of the caller's own tensor in place, so the result is right but x has another shape after the call (and a leaf that needs gradients is refused).
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose_(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged
# %% wrong: own_cat_along_words | TRUE CAUSE: The heads are concatenated along axis 1, the words, instead of along the features, and then reshaped, which is the same as a reshape without the swap: the right shape with the numbers in the wrong places.
def merge_heads(x):
    n, h, t, d = x.shape
    one_by_one = [x[:, i] for i in range(h)]
    joined = torch.cat(one_by_one, dim=1)
    return joined.reshape(n, t, h * d)
# %% wrong: own_filled_through_data | TRUE CAUSE: The heads are copied into the result through `.data`, which autograd does not record, so the numbers are right but no gradient flows back to x.
def merge_heads(x):
    n, h, t, d = x.shape
    out = x.new_zeros(n, t, h * d)
    for i in range(h):
        out.data[:, :, i * d : (i + 1) * d] = x[:, i]
    return out
