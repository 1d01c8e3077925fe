# %% wrong: view_in_place_of_swap | TRUE CAUSE: the cut is right, but the words and heads axes are exchanged with a second view, which keeps the order of the numbers; the shape is right, the heads hold words of their own instead of features of their own
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.view(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads


# %% wrong: true_division | TRUE CAUSE: d_k is computed with / and is a float, so view refuses it; the integer division // is needed
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model / num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads


# %% wrong: heads_axis_last_in_cut | TRUE CAUSE: the features are cut as (d_k, H) instead of (H, d_k), so a head gets every H-th feature instead of d_k neighbors
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads)
    heads = cut.permute(0, 3, 1, 2)  # (N, H, T, d_k)
    return heads


# %% wrong: last_two_swapped | TRUE CAUSE: the last two axes (heads and d_k) are swapped instead of words and heads; the result is (N, T, d_k, H)
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, -1)  # (N, T, H, d_k)
    heads = cut.transpose(-1, -2)  # (N, H, T, d_k)
    return heads


# %% wrong: split_by_size_not_number | TRUE CAUSE: torch.split takes the size of a piece, not the number of pieces, so there are d_k heads of num_heads features (right only where both are equal)
def split_heads(x, num_heads):
    pieces = x.split(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)


# %% wrong: folded_into_batch | TRUE CAUSE: the heads are folded into the batch axis, as in some published code: (N * H, T, d_k) comes out instead of (N, H, T, d_k)
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)
    heads = cut.transpose(1, 2).reshape(batch * num_heads, length, d_k)
    return heads


# %% wrong: new_zeros_of_default_dtype | TRUE CAUSE: the result is written into torch.zeros without a dtype, so float64 (or integer) input comes back as float32
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    heads = torch.zeros(batch, num_heads, length, d_k)
    for h in range(num_heads):
        heads[:, h] = x[:, :, h * d_k : (h + 1) * d_k]
    return heads


# %% wrong: words_cut_and_never_swapped | TRUE CAUSE: two mistakes: it is the axis of the words that is cut into num_heads pieces, not that of the features; and words and heads are not swapped but taken as they come, so each head holds a part of the sentence with all features (wrong shape)
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = length // num_heads
    cut = x.reshape(batch, num_heads, d_k, d_model)
    heads = cut
    return heads
