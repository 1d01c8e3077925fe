# %% wrong: view_after_transpose | TRUE CAUSE: view is called on the transposed tensor, which is not contiguous; it needs contiguous() first, or reshape
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, -1)  # (N, T, D)
    return merged


# %% wrong: heads_one_after_the_other | TRUE CAUSE: the heads are concatenated along time (dim=1 of a head's (N, T, d_k)) instead of along the features, and a reshape then only makes the shape fit
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    heads = [x[:, h] for h in range(num_heads)]
    together = torch.cat(heads, dim=1)
    return together.reshape(batch, length, num_heads * d_k)  # (N, T, D)


# %% wrong: heads_interleaved | TRUE CAUSE: the head axis is moved to the very end, (N, T, d_k, H), so the features of the heads alternate in the result instead of lying in blocks side by side
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged
