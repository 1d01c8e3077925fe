# %% wrong: reshapes_the_input | TRUE CAUSE: merged reshapes x rather than side_by_side, so the swap back is computed but never used and the words and heads are scrambled although the shape is right.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = x.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged

# %% wrong: heads_moved_last | TRUE CAUSE: permute(0, 2, 3, 1) moves the heads behind d_k, to (N, T, d_k, H), so the features of the heads come out interleaved (feature 0 of all heads, then feature 1 of all heads, ...) in place of head after head.
def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1).contiguous()
    merged = side_by_side.view(batch, length, -1)  # (N, T, D)
    return merged

# %% wrong: own_growing_cat | TRUE CAUSE: merged begins with head 0 and the loop over range(num_heads - 1) starts at head 0 again, so head 0 is there twice and the last head is missing (right only with one head).
def merge_heads(x):
    num_heads = x.shape[1]
    merged = x[:, 0]
    for h in range(num_heads - 1):
        merged = torch.cat((merged, x[:, h]), dim=-1)
    return merged

# %% wrong: own_reshaped_buffer | TRUE CAUSE: out = x.reshape(...) is a view of a contiguous x and not a new tensor, so the loop overwrites x in place while it still reads from it: the input is changed, later heads are read after they were overwritten, and a leaf that requires grad raises.
def merge_heads(x):
    n, h, t, d = x.shape
    out = x.reshape(n, t, h * d)
    for i in range(h):
        out[..., i * d:(i + 1) * d] = x[:, i]
    return out
