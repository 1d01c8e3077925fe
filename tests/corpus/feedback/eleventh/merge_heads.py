# %% wrong: swaps_words_and_features | TRUE CAUSE: transpose(2, 3) swaps the words with the features of a head instead of swapping the heads with the words by transpose(1, 2), so the reshape, which fits in size, joins numbers of different words and heads in one vector
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(2, 3)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: contiguous_before_the_swap | TRUE CAUSE: contiguous() is called before transpose(1, 2) and not after it, so the swapped tensor is not contiguous and view raises a RuntimeError as soon as there are more than one head and one word
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.contiguous().transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, -1)  # (N, T, D)
    return merged

# %% wrong: own_stack_on_last_axis | TRUE CAUSE: the heads are stacked on a new last axis behind their features and then flattened, so the features come out interleaved (feature 0 of all heads, then feature 1 of all heads) instead of head after head
def merge_heads(x):
    heads = [x[:, h] for h in range(x.shape[1])]
    together = torch.stack(heads, dim=-1)
    return together.flatten(start_dim=2)

# %% wrong: own_permute_words_to_the_front | TRUE CAUSE: permute(2, 0, 1, 3) puts the words before the batch, giving (T, N, H, d_k), and reshape to (N, T, D) does not swap them back, so for more than one sentence the vectors land in the wrong sentence and place
def merge_heads(x):
    n, h, t, k = x.shape
    return x.permute(2, 0, 1, 3).reshape(n, t, h * k)
