# %% wrong: swapped_but_not_used | TRUE CAUSE: the swapped tensor is made but the last line views x itself, so words and heads are never swapped back: the right shape, each row from one head's neighboring words
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = x.contiguous().view(batch, length, num_heads * d_k)  # (N, T, D)
    return merged


# %% wrong: heads_interleaved | TRUE CAUSE: the heads are moved to the last axis, behind d_k, so the features of the heads alternate instead of lying head after head
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    return x.permute(0, 2, 3, 1).reshape(batch, length, num_heads * d_k)


# %% wrong: contiguous_before_the_swap | TRUE CAUSE: contiguous() is called before the transpose instead of after it, so the transposed tensor is not contiguous and view refuses it
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.contiguous().transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, num_heads * d_k)  # (N, T, D)
    return merged
