# %% wrong: reshape_instead_of_swap | TRUE CAUSE: the second move is a reshape to the wanted shape instead of a swap of the word and head axes, so each head gets a stretch of the row in memory rather than its own features of all words
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.reshape(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads

# %% wrong: float_head_size | TRUE CAUSE: d_k is computed with true division, so it is a float and view refuses it
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model / num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads

# %% wrong: axes_counted_from_one_off | TRUE CAUSE: transpose swaps axes 0 and 1 (batch and words) instead of 1 and 2 (words and heads), as if axes were counted from 1
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(0, 1)  # (N, H, T, d_k)
    return heads

# %% wrong: every_hth_feature | TRUE CAUSE: the last axis is cut as (d_k, H) instead of (H, d_k), so a head gets every H-th feature instead of d_k neighbouring ones
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.unflatten(-1, (d_k, num_heads)).transpose(-1, -2)  # (N, T, H, d_k)
    heads = cut.permute(0, 2, 1, 3)  # (N, H, T, d_k)
    return heads

# %% wrong: gradient_lost_by_data | TRUE CAUSE: the numbers are taken from x.data, so no gradient flows back through the heads to x
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = divmod(d_model, num_heads)[0]
    cut = x.data.reshape(batch, length, -1, d_k)  # (N, T, H, d_k)
    heads = cut.swapaxes(1, 2).contiguous()  # (N, H, T, d_k)
    return heads

# %% wrong: always_eight_heads | TRUE CAUSE: the number of heads is hard-coded as the paper's 8 and the argument num_heads is ignored
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // 8
    cut = x.unflatten(dim=2, sizes=(-1, d_k))  # (N, T, H, d_k)
    heads = torch.swapdims(cut, -3, -2)  # (N, H, T, d_k)
    return heads

# %% wrong: split_by_count | TRUE CAUSE: Tensor.split is given num_heads as if it were the number of pieces, but it is the size of each piece, so there are d_k heads of H features instead of H heads of d_k
def split_heads(x, num_heads):
    # split along the features, then put the pieces on a new axis before the words
    return torch.stack(x.split(num_heads, dim=-1), dim=1)

# %% wrong: float32_buffer | TRUE CAUSE: the heads are copied into a torch.zeros buffer without a dtype, so the result is always float32 whatever dtype came in
def split_heads(x, num_heads):
    n, t, d = x.shape
    size = d // num_heads
    heads = torch.zeros(n, num_heads, t, size)
    for h in range(num_heads):
        first = h * size
        heads[:, h] = x[:, :, first:first + size]
    return heads

# %% wrong: squeeze_at_the_end | TRUE CAUSE: the result is squeezed, so every axis of length 1 (one sentence, one head, one word or one feature) disappears
def split_heads(x, num_heads):
    pieces = [piece.unsqueeze(1) for piece in x.chunk(num_heads, dim=2)]
    return torch.cat(pieces, dim=1).squeeze()

# %% wrong: backwards_and_not_swapped | TRUE CAUSE: two at once: the pieces are inserted at the front of the list, so head 0 holds the last features, and they are stacked behind the words, so the shape is (N, T, H, d_k) and words and heads are never swapped
def split_heads(x, num_heads):
    d_k = x.shape[-1] // num_heads
    pieces = []
    for i in range(num_heads):
        pieces.insert(0, x[..., i * d_k:(i + 1) * d_k])
    return torch.stack(pieces, dim=2)
