# %% wrong: swap_batch_with_heads | TRUE CAUSE: the student counts the axes wrongly and swaps axis 0 (batch) with axis 2 (heads) in the line of `heads`, instead of words with heads, so the result is (H, T, N, d_k).
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(0, 2)  # (N, H, T, d_k)
    return heads

# %% wrong: every_hth_feature | TRUE CAUSE: in the line of `cut` the last axis is broken into (d_k, H) instead of (H, d_k) and then transposed to the right shape, so head h holds the features h, h + H, h + 2H, ... instead of d_k features that lie side by side.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads).transpose(2, 3)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads

# %% wrong: own_split_size_is_num_heads | TRUE CAUSE: torch's `split` takes the size of a piece, and the student gives it the number of pieces (num_heads), so there are d_k heads of H features each, (N, d_k, T, H), which is right only where d_k equals H.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    pieces = x.split(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)

# %% wrong: own_zeros_of_default_dtype | TRUE CAUSE: the result is written into torch.zeros(...) of the default dtype instead of the dtype of x, so float64 (or integer) inputs come back as float32, rounded.
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    N, T, D = x.shape
    size = D // num_heads
    out = torch.zeros(N, num_heads, T, size)
    for h in range(num_heads):
        start = h * size
        out[:, h] = x[:, :, start : start + size]
    return out
