# %% wrong: no_swap_back | TRUE CAUSE: words and heads are not swapped back before the join; reshape keeps the order of (N, H, T, d_k), so a word of the result holds several words of one head
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged


# %% wrong: view_after_transpose | TRUE CAUSE: view is used on the swapped tensor, which is not contiguous; contiguous() or reshape is missing
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, num_heads * d_k)  # (N, T, D)
    return merged


# %% wrong: joined_words_and_heads | TRUE CAUSE: after the right swap, the axes of words and heads are joined instead of heads and d_k: (N, T * H, d_k)
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.flatten(1, 2)  # (N, T, D)
    return merged


# %% wrong: heads_interleaved | TRUE CAUSE: the heads axis is moved to the very end, so the features of the heads come interleaved (feature 0 of all heads, feature 1 of all heads, ...) instead of head after head
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1)
    merged = side_by_side.reshape(batch, length, -1)  # (N, T, D)
    return merged


# %% wrong: mean_of_heads | TRUE CAUSE: the heads are averaged instead of laid side by side; the result has d_k features, not D
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.mean(dim=2)  # (N, T, D)
    return merged


# %% wrong: cat_along_words | TRUE CAUSE: the heads are concatenated along the axis of the words (dim=1 of each head) instead of the features: (N, H * T, d_k)
def merge_heads(x):
    heads = [x[:, h] for h in range(x.size(1))]  # each (N, T, d_k)
    return torch.cat(heads, dim=1)


# %% wrong: wrong_pair_swapped_and_view_order | TRUE CAUSE: two mistakes: the last two axes (words and d_k) are swapped instead of heads and words, and the numbers are then forced into (N, T, D) by reshape without any further swap
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(2, 3)
    merged = side_by_side.contiguous().view(batch, length, num_heads * d_k)
    return merged
