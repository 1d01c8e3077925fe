# %% wrong: swap_last_two_axes | TRUE CAUSE: transpose(-1, -2) swaps words and features inside each head instead of swapping heads and words (axes 1 and 2); reshape then forces the shape (N, T, D) onto the wrong order.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(-1, -2)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged


# %% wrong: heads_stacked_last | TRUE CAUSE: the heads are stacked as a new last axis, (N, T, d_k, H), and flattened, so the features of the heads are interleaved (feature 0 of every head, then feature 1 of every head) instead of laid side by side head by head.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    heads = [x[:, h] for h in range(x.size(1))]  # each (N, T, d_k)
    side_by_side = torch.stack(heads, dim=-1)
    merged = side_by_side.flatten(start_dim=2)  # (N, T, D)
    return merged


# %% wrong: contiguous_before_the_swap | TRUE CAUSE: contiguous() is called before transpose instead of after it, so the swapped tensor is again not contiguous and view refuses it (RuntimeError) wherever the swap changes the order.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.contiguous().transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, num_heads * d_k)  # (N, T, D)
    return merged
