# %% right: eleventh_own_slices_per_head
def split_heads(x, num_heads):
    n, t, d = x.shape
    size = d // num_heads
    out = x.new_empty(n, num_heads, t, size)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * size : (h + 1) * size]
    return out
# %% right: twelfth_own_stack_of_chunks
def split_heads(x, num_heads):
    size = x.shape[-1] // num_heads
    return torch.stack([x[..., h * size : (h + 1) * size] for h in range(num_heads)], dim=1)
