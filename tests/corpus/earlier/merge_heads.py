# %% wrong: own_slices_overlap | The slice of head h begins at h instead of at h * d_k, so each head overwrites all but one feature of the one before, and the end of the result stays 0.
def merge_heads(x):
    n, num_heads, t, width = x.shape
    together = x.new_zeros(n, t, num_heads * width)
    for h in range(num_heads):
        together[:, :, h : h + width] = x[:, h]
    return together

# %% wrong: joins_without_swapping_back | The first move is a reshape to (N, T, H, d_k) in place of a swap of axes 1 and 2, so the numbers stay in the order head by head and are only relabeled as words.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.reshape(batch, length, num_heads, d_k)
    merged = side_by_side.flatten(2)  # (N, T, D)
    return merged

# %% wrong: own_heads_interleaved | The heads are stacked as the last axis (T, d_k, H) before flattening, so their features are interleaved: feature 0 of every head first, then feature 1 of every head, instead of one whole head after the other.
def merge_heads(x):
    heads = x.unbind(dim=1)  # H tensors, (N, T, d_k)
    return torch.stack(heads, dim=-1).flatten(start_dim=2)

# %% wrong: two-wrong-swap-and-sum | Two mistakes. Swaps the last two axes instead of heads and words, and adds the heads up (sum over axis 1) where they should be laid side by side, so (N, d_k, T) comes out.
def merge_heads(x):
    swapped = x.transpose(2, 3)
    merged = swapped.sum(dim=1)
    return merged
