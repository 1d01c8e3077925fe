# %% wrong: split_takes_a_size | TRUE CAUSE: Tensor.split(num_heads) makes pieces of num_heads features each, it does not make num_heads pieces: there are D / H heads of H features (right only if H equals d_k); torch's split was taken for chunk
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    pieces = x.split(num_heads, dim=-1)  # one piece per head
    heads = torch.stack(pieces, dim=1)  # (N, H, T, d_k)
    return heads

# %% wrong: every_hth_feature | TRUE CAUSE: the last axis is cut into (d_k, H) instead of (H, d_k), so head h holds every H-th feature and not a run of d_k neighboring ones
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.unflatten(-1, (d_k, num_heads))
    heads = cut.permute(0, 3, 1, 2)  # (N, H, T, d_k)
    return heads

# %% wrong: heads_go_into_the_batch | TRUE CAUSE: the heads are cut and swapped rightly, but then folded into the batch axis, (N * H, T, d_k), as some other code has it; they do not get an axis of their own
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2).reshape(batch * num_heads, length, d_k)
    return heads

# %% wrong: words_moved_to_the_end | TRUE CAUSE: the permutation moves the words to the last place, (N, H, d_k, T), instead of swapping words and heads: each head is the transpose of what it should be
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, num_heads, -1)  # (N, T, H, d_k)
    heads = cut.permute(0, 2, 3, 1)  # (N, H, T, d_k)
    return heads
