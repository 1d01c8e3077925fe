# %% wrong: reshape_only | TRUE CAUSE: heads and words are not swapped back, only reshaped, so a word gets features of other words
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged


# %% wrong: heads_last | TRUE CAUSE: the head axis is moved behind d_k, so the features of the heads are interleaved instead of laid side by side
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.movedim(1, -1)  # (N, T, H, d_k)
    merged = side_by_side.flatten(start_dim=2)  # (N, T, D)
    return merged


# %% wrong: cat_words | TRUE CAUSE: the heads are concatenated along the words axis (dim=1) instead of the features axis (dim=-1), so (N, H * T, d_k) comes out
def merge_heads(x):
    heads = [x[:, h] for h in range(x.size(1))]  # each (N, T, d_k)
    return torch.cat(heads, dim=1)


# %% wrong: view_after_transpose | TRUE CAUSE: view is called on the transposed tensor without contiguous(), which raises a RuntimeError as its memory is in another order (crash)
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, -1)  # (N, T, D)
    return merged


# %% wrong: in_place_and_512 | TRUE CAUSE: two mistakes: transpose_ swaps the axes of the caller's own tensor in place, and the number of features is hard-coded as the paper's 512 instead of num_heads * d_k
def merge_heads(x):
    batch = x.shape[0]
    x.transpose_(1, 2)  # no copy needed
    return x.contiguous().view(batch, -1, 512)
