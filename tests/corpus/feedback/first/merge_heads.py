# %% wrong: reshape_for_the_swap | TRUE CAUSE: side_by_side is a reshape to (N, T, H, d_k) instead of a swap of the head and word axes, so the numbers stay in their old order and words get each other's features
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: view_after_transpose | TRUE CAUSE: view is called on the transposed tensor, which is not contiguous, without contiguous() or reshape, so torch raises a RuntimeError
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: batch_and_length_exchanged | TRUE CAUSE: the sizes in the last reshape are in the wrong order, length before batch, so the result is (T, N, D) with the words in the wrong sentences
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.reshape(length, batch, -1)  # (N, T, D)
    return merged

# %% wrong: heads_interleaved | TRUE CAUSE: the axes are permuted to (N, T, d_k, H) before joining, so the features of the heads are interleaved instead of laid side by side
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1)  # (N, T, H, d_k)
    merged = side_by_side.flatten(start_dim=2)  # (N, T, D)
    return merged

# %% wrong: transposed_in_place | TRUE CAUSE: transpose_ swaps the axes of x itself, so the caller's tensor has another shape afterwards
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose_(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.flatten(2)  # (N, T, D)
    return merged

# %% wrong: batch_of_one_squeezed | TRUE CAUSE: squeeze(0) removes the batch axis when there is only one sentence, so the result is (T, D) instead of (1, T, D)
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = torch.einsum("nhtk->nthk", x)  # (N, T, H, d_k)
    merged = torch.flatten(side_by_side, -2, -1).squeeze(0)  # (N, T, D)
    return merged

# %% wrong: sentences_concatenated | TRUE CAUSE: torch.cat gets the slices along axis 0, the sentences, instead of along axis 1, the heads, so sentences are laid side by side and the result is (H, T, N * d_k)
def merge_heads(x):
    return torch.cat([head for head in x], dim=-1)

# %% wrong: heads_added | TRUE CAUSE: the heads are added up instead of concatenated, so only d_k features are left and nobody knows which head they came from
def merge_heads(x):
    merged = x[:, 0]
    for h in range(1, x.size(1)):
        merged = merged + x[:, h]
    return merged

# %% wrong: no_grad_for_moves | TRUE CAUSE: the whole body runs under torch.no_grad, so no gradient flows through the merged heads
def merge_heads(x):
    # only moving numbers around here, nothing to differentiate
    with torch.no_grad():
        n, h, t, k = x.size()
        return x.movedim(1, 2).reshape(n, t, h * k)

# %% wrong: last_head_missing_and_float | TRUE CAUSE: two at once: the loop over the heads ends one too early, so the last head is left out, and the result is cast with .float(), so float64 becomes float32
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    words = []
    for t in range(length):
        pieces = [x[:, h, t] for h in range(num_heads - 1)]
        words.append(torch.cat(pieces, dim=-1))
    return torch.stack(words, dim=1).float()
