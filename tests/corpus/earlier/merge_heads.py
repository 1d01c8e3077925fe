# %% wrong: own_slices_overlap | The slice of head h begins at h instead of at h * d_k, so each head overwrites all but one feature of the one before, and the end of the result stays 0.
def merge_heads(x):
    n, num_heads, t, width = x.shape
    together = x.new_zeros(n, t, num_heads * width)
    for h in range(num_heads):
        together[:, :, h : h + width] = x[:, h]
    return together
