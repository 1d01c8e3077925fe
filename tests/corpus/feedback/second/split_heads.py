# %% wrong: reshape_for_swap | TRUE CAUSE: the words and heads axes are not swapped: reshape breaks the lines anew, so the right shape holds the wrong numbers
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.reshape(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads


# %% wrong: interleaved | TRUE CAUSE: the features are cut as (d_k, H) instead of (H, d_k), so head h gets every H-th feature instead of a run of d_k neighbours
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = divmod(d_model, num_heads)[0]
    cut = x.unflatten(-1, (d_k, num_heads)).movedim(-1, -2)  # (N, T, H, d_k)
    heads = cut.permute(0, 2, 1, 3)  # (N, H, T, d_k)
    return heads


# %% wrong: split_and_stack | TRUE CAUSE: two mistakes: x.split gets num_heads as the size of a piece although it is the number of pieces (H and d_k exchanged), and the heads are stacked on axis 0 instead of axis 1, before the batch
def split_heads(x, num_heads):
    # every piece of the last axis is one head
    pieces = x.split(num_heads, dim=-1)
    return torch.stack(pieces, dim=0)


# %% wrong: zeros_of_float32 | TRUE CAUSE: the result is copied into a torch.zeros of the default dtype, so float64 input comes back as float32
def split_heads(x, num_heads):
    n, t, d = x.shape
    d_k = d // num_heads
    result = torch.zeros(n, num_heads, t, d_k)
    for h in range(num_heads):
        first = h * d_k
        result[:, h] = x[:, :, first : first + d_k]
    return result


# %% wrong: float_size | TRUE CAUSE: d_k is computed with / and is a float, which view does not take as a size (crash)
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model / num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads
