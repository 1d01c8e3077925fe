# %% wrong: heads_become_the_last_axis | TRUE CAUSE: `side_by_side` is permuted to (N, T, d_k, H) instead of (N, T, H, d_k), so joining the last two axes interleaves the heads (feature 0 of every head, then feature 1 of every head, ...) instead of laying them side by side.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: flatten_from_axis_1 | TRUE CAUSE: `flatten(1)` joins all axes from axis 1 on, the words too, instead of only the last two (flatten(2)), so the result is (N, T * D) and has lost the axis of the words.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2).contiguous()  # (N, T, H, d_k)
    merged = side_by_side.flatten(1)  # (N, T, D)
    return merged

# %% wrong: own_squeeze_all_ones | TRUE CAUSE: `squeeze()` without an axis removes every axis of length 1 and not only that of the head, so with a batch of 1 (or one word, or one feature for each head) the axis vanishes and the result has the wrong shape.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    one_by_one = [head.squeeze() for head in x.split(1, dim=1)]
    return torch.cat(one_by_one, dim=-1)

# %% wrong: own_each_head_put_in_front | TRUE CAUSE: the loop concatenates each new head in front of what is already merged instead of behind it, so the heads lie side by side in reversed order, the last one first.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    result = x[:, 0]
    for h in range(1, x.shape[1]):
        result = torch.cat((x[:, h], result), dim=2)
    return result
