# %% wrong: heads_are_averaged | TRUE CAUSE: the heads are averaged into d_k features instead of being laid side by side: "put together" was understood as mixing
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.mean(dim=2)  # (N, T, D)
    return merged

# %% wrong: heads_moved_to_the_end | TRUE CAUSE: the heads are moved behind the features, (N, T, d_k, H), before the join, so the features of the heads come out interleaved: feature 0 of every head, then feature 1 of every head
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1)
    merged = side_by_side.flatten(2)  # (N, T, D)
    return merged

# %% wrong: joins_x_and_not_the_swapped | TRUE CAUSE: the swap is made but its result is not used: the join reshapes x itself, in the order (N, H, T, d_k)
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2).contiguous()  # (N, T, H, d_k)
    merged = x.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: lays_sentences_side_by_side | TRUE CAUSE: looping over a tensor goes along its first axis, the batch, so the sentences and not the heads are laid side by side: (H, T, N * d_k)
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    heads = [head for head in x]
    return torch.cat(heads, dim=-1)
