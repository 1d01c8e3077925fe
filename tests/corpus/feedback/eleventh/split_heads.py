# %% wrong: view_instead_of_swap | TRUE CAUSE: the last line uses cut.view(batch, num_heads, length, d_k) as if view swapped the axes of words and heads; it keeps the memory order, so with more than one word and head each head holds pieces of all heads of a few words instead of its own share of all words
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.view(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads

# %% wrong: d_k_is_number_of_heads | TRUE CAUSE: d_k is set to num_heads instead of d_model // num_heads and the number of heads is left to -1, so there come out D / H heads of H features each instead of H heads of D / H features (wrong shape unless D = H * H)
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = num_heads
    cut = x.view(batch, length, -1, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads

# %% wrong: own_strided_slices | TRUE CAUSE: the slice x[..., h::num_heads] takes every num_heads-th feature beginning at h, so the features are dealt out to the heads in turn instead of head h getting the neighboring features h * d_k to (h + 1) * d_k - 1
def split_heads(x, num_heads):
    parts = []
    for h in range(num_heads):
        parts.append(x[..., h::num_heads])
    return torch.stack(parts, dim=1)

# %% wrong: own_through_numpy | TRUE CAUSE: the tensor is detached and turned into a numpy array to cut and swap, so the values are right but the result is cut off from the graph and no gradient flows back to x
def split_heads(x, num_heads):
    n, t, d = x.shape
    array = x.detach().numpy().reshape(n, t, num_heads, d // num_heads)
    return torch.from_numpy(array.swapaxes(1, 2).copy())
