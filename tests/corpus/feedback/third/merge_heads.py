# %% wrong: no_swap_back | TRUE CAUSE: words and heads are never swapped back: view relabels (N, H, T, d_k) as (N, T, H, d_k) and the numbers stay in the order of the heads.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: view_of_a_transposed_tensor | TRUE CAUSE: view is called on the transposed, no longer contiguous tensor; contiguous() or reshape was needed.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: words_and_heads_joined | TRUE CAUSE: the wrong two axes are joined: after the right swap, words and heads become one axis, (N, T * H, d_k), instead of heads and features.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, -1, d_k)  # (N, T, D)
    return merged

# %% wrong: heads_averaged | TRUE CAUSE: the heads are averaged, (N, T, d_k), instead of laid side by side: putting them together again was taken for mixing them.
def merge_heads(x):
    # all heads have looked, now put them together
    return x.mean(dim=1)

# %% wrong: cat_along_the_words | TRUE CAUSE: the heads are concatenated along the axis of the words (dim=1 once the head axis is gone), (N, H * T, d_k), instead of along the features, dim=-1.
def merge_heads(x):
    heads = x.unbind(dim=1)  # H tensors, each (N, T, d_k)
    return torch.cat(heads, dim=1)

# %% wrong: heads_to_the_last_axis | TRUE CAUSE: the heads are moved behind their features before joining, so the features of the heads alternate (head 0, head 1, head 0, ...) instead of lying head by head.
def merge_heads(x):
    N, H, T, d_k = x.shape
    return x.permute(0, 2, 3, 1).reshape(N, T, H * d_k)

# %% wrong: two_names_of_axes_and_order | TRUE CAUSE: two mistakes: the shape is unpacked as (N, T, H, d_k) although x is (N, H, T, d_k), so words and heads are mixed up in the reshape, and axis 1 is moved behind the features before joining.
def merge_heads(x):
    batch, length, num_heads, d_k = x.shape
    x = x.permute(0, 2, 3, 1)
    return x.reshape(batch, length, num_heads * d_k)
