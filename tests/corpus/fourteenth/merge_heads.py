# %% wrong: view_after_transpose | After transpose the tensor is not contiguous, and view refuses to join its last two axes: it needs contiguous() or reshape. (A RuntimeError whenever H and T are both above 1.)
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.view(batch, length, num_heads * d_k)  # (N, T, D)
    return merged
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
# %% wrong: own_squeeze_everything | squeeze() without an axis removes every axis of length 1, not just the head axis: with one sentence, one word or one feature the result loses an axis that it should keep.
def merge_heads(x):
    parts = x.split(1, dim=1)  # H tensors, (N, 1, T, d_k)
    joined = torch.cat(parts, dim=-1)  # (N, 1, T, D)
    return joined.squeeze()
