# %% wrong: split_by_num_heads_not_d_k | TRUE CAUSE: x.split takes the size of a piece, and is given the number of heads; it makes d_k pieces of H features instead of H pieces of d_k (right only where H equals d_k)
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    pieces = x.split(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)  # (N, H, T, d_k)


# %% wrong: reshape_in_place_of_swap | TRUE CAUSE: the cut is right, but words and heads are not swapped: reshape only gives the same row of numbers the shape (N, H, T, d_k)
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.reshape(batch, num_heads, length, d_k)  # (N, H, T, d_k)
    return heads


# %% wrong: features_dealt_out_in_turn | TRUE CAUSE: each vector is cut into (d_k, H) instead of (H, d_k), so head h gets every H-th feature and not d_k neighboring ones; the permute then makes the shape right
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, d_k, num_heads)
    heads = cut.permute(0, 3, 1, 2)  # (N, H, T, d_k)
    return heads
