# %% wrong: view_instead_of_swap | TRUE CAUSE: the second move is a view to (N, H, T, d_k) in place of a transpose of words and heads, so the order of the numbers never changes and a head gets pieces of several words; view was taken for a way to swap axes.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.view(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads

# %% wrong: swap_of_last_two_axes | TRUE CAUSE: transpose(2, 3) swaps heads and features, where words and heads (1, 2) have to be swapped, so the result is (N, T, d_k, H).
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(2, 3)  # (N, H, T, d_k)
    return heads

# %% wrong: float_division | TRUE CAUSE: d_k is made with / and is a float, which view does not take as a size; // was needed.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model / num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads

# %% wrong: features_dealt_out_in_turn | TRUE CAUSE: the features are cut as (d_k, H) and not as (H, d_k), so each head gets every H-th feature instead of d_k neighboring ones; which of the two new axes runs fastest was mixed up.
def split_heads(x, num_heads):
    N, T, D = x.shape
    d_k = D // num_heads
    pieces = x.reshape(N, T, d_k, num_heads)
    return pieces.permute(0, 3, 1, 2)

# %% wrong: transpose_first_then_reshape | TRUE CAUSE: words and features are swapped first, (N, D, T), and then a reshape straight to (N, H, T, d_k) cuts the rows of words: the final swap back is missing, so words and features are mixed in each head.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    swapped = x.transpose(1, 2)  # features first
    return swapped.reshape(batch, num_heads, length, d_k)

# %% wrong: loop_with_overlapping_slices | TRUE CAUSE: head h takes the features h to h + d_k instead of h * d_k to (h + 1) * d_k, so the heads overlap and the last features are in none.
def split_heads(x, num_heads):
    d_k = x.size(-1) // num_heads
    heads = []
    for h in range(num_heads):
        heads.append(x[:, :, h : h + d_k])
    return torch.stack(heads, dim=1)

# %% wrong: two_cut_order_and_swap | TRUE CAUSE: two mistakes: the last axis is cut as (d_k, H), so features are dealt out in turn, and axes 1 and 3 are swapped, so each head is (d_k, T) instead of (T, d_k).
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, d_k, num_heads)  # (N, T, H, d_k)
    heads = cut.transpose(1, 3)  # (N, H, T, d_k)
    return heads
